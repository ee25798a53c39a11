"""Linear algebra against its definition: an inverse undoes its matrix, and what has none is refused."""

import random

import pytest

from league.statistics.linear import Matrix, cholesky, inverse, sandwich


def product(one: Matrix, two: Matrix) -> Matrix:
    return [[sum(row[k] * two[k][column] for k in range(len(two))) for column in range(len(two[0]))] for row in one]


def positive(size: int, rng: random.Random) -> Matrix:
    """A matrix times its transpose, and a little more on the diagonal."""
    some = [[rng.uniform(-1, 1) for _column in range(size)] for _row in range(size)]
    made = product(some, [list(column) for column in zip(*some, strict=True)])
    return [[entry + 0.1 * (row == column) for column, entry in enumerate(made[row])] for row in range(size)]


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_an_inverse_undoes_its_matrix_from_both_sides(size: int) -> None:
    matrix = positive(size, random.Random(size))
    undone = inverse(cholesky(matrix))
    identity = [[float(row == column) for column in range(size)] for row in range(size)]
    for made in (product(matrix, undone), product(undone, matrix)):
        assert [len(row) for row in made] == [size] * size
        for row, wanted in zip(made, identity, strict=True):
            assert row == pytest.approx(wanted, abs=1e-9)


def test_a_sandwich_is_the_product_of_three() -> None:
    rng = random.Random(5)
    bread, meat = positive(4, rng), positive(4, rng)
    for row, wanted in zip(sandwich(bread, meat), product(product(bread, meat), bread), strict=True):
        assert row == pytest.approx(wanted)


@pytest.mark.parametrize("matrix", [[[0.0]], [[-0.5]], [[1.0, 1.0], [1.0, 1.0]], [[1.0, 1.0], [1.0, 0.5]]])
def test_what_is_not_positive_definite_is_refused(matrix: Matrix) -> None:
    with pytest.raises(ValueError, match="not positive definite"):
        cholesky(matrix)
