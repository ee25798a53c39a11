"""Symmetric positive definite matrices, as lists of rows: enough for a hundred bots, in the standard library. Pure.

Each function costs n^3 / 3 to n^3 multiplications; a matrix of 100 rows takes a tenth of a second.
"""

import math
from collections.abc import Sequence
from operator import mul

Vector = list[float]
Matrix = list[Vector]


def dot(one: Sequence[float], two: Sequence[float]) -> float:
    """The sum of the products, over the shorter of the two."""
    total: float = sum(map(mul, one, two))
    return total


def cholesky(matrix: Matrix) -> Matrix:
    """The lower triangle L, row i with i + 1 entries, of which L times its transpose is `matrix`.

    Raises ValueError if the matrix is not positive definite.
    """
    lower: Matrix = []
    for row in matrix:
        made: Vector = []
        for above in lower:
            made.append((row[len(made)] - dot(made, above)) / above[-1])
        rest = row[len(made)] - dot(made, made)
        if not rest > 0:
            raise ValueError("the matrix is not positive definite")
        made.append(math.sqrt(rest))
        lower.append(made)
    return lower


def solve(lower: Matrix, right: Sequence[float]) -> Vector:
    """The x of which (L times its transpose) x = `right`."""
    size = len(lower)
    half: Vector = []
    for row, value in zip(lower, right, strict=True):
        half.append((value - dot(row, half)) / row[-1])
    for index in reversed(range(size)):
        half[index] /= lower[index][-1]
        step, row = half[index], lower[index]
        for before in range(index):
            half[before] -= step * row[before]
    return half


def inverse(lower: Matrix) -> Matrix:
    """The inverse of (L times its transpose)."""
    size = len(lower)
    return [solve(lower, [float(row == column) for row in range(size)]) for column in range(size)]


def sandwich(bread: Matrix, meat: Matrix) -> Matrix:
    """The product bread * meat * bread, for symmetric matrices."""
    half = [[dot(row, column) for column in meat] for row in bread]
    return [[dot(row, column) for column in bread] for row in half]
