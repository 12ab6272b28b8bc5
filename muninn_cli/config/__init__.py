"""Settings: one definition; a value is the environment's, else config.toml's, else the default."""

from muninn_cli.config.load import ConfigFile, load_settings, read_config, settings_from
from muninn_cli.config.settings import SETTINGS, Settings

__all__ = [
    "SETTINGS",
    "ConfigFile",
    "Settings",
    "load_settings",
    "read_config",
    "settings_from",
]
