"""The functions of sqlite-vec in Python, under their own names, for where vec0 cannot be loaded.

Slower, with the same answers: the queries stay as they are. Nothing heavy is imported.
"""

from __future__ import annotations

from array import array
from math import dist, hypot
from operator import mul
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    import apsw


def install(connection: apsw.Connection) -> None:
    """Give a connection vec_distance_l2, vec_distance_cosine and vec_int8."""
    for name, (function, count) in _FUNCTIONS.items():
        connection.create_scalar_function(name, function, count, deterministic=True)


def _distance(left: bytes, right: bytes) -> float:
    """Euclidean distance of two float32 vectors."""
    return dist(array("f", left), array("f", right))


def _cosine_distance(left: bytes, right: bytes) -> float | None:
    """1 - cosine of two int8 vectors; None for a zero vector."""
    one, other = array("b", left), array("b", right)
    lengths = hypot(*one) * hypot(*other)
    return 1 - sum(map(mul, one, other)) / lengths if lengths else None


_FUNCTIONS: dict[str, tuple[Callable[..., Any], int]] = {
    "vec_distance_l2": (_distance, 2),
    "vec_distance_cosine": (_cosine_distance, 2),
    "vec_int8": (bytes, 1),
}
