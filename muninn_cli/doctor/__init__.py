"""The doctor: looks at everything muninn keeps, names what is wrong, and mends what is safe.

Nothing is written unless a person asks to mend; a mend never touches what the finding is not about.
"""

from muninn_cli.doctor.examination import examine
from muninn_cli.doctor.finding import Facts, Finding, Report
from muninn_cli.doctor.mending import mend

__all__ = ["Facts", "Finding", "Report", "examine", "mend"]
