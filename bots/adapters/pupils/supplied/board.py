"""The `Board` of Puissance 4 on which the document's class `Player` plays; its methods are named as there."""

EMPTY = " "


class Board:
    """A board of `width` columns and `height` rows; `data[row][column]` is "X", "O" or " ", row 0 on top."""

    def __init__(self, width: int = 7, height: int = 6) -> None:
        self.width = width
        self.height = height
        self.clear()

    def __repr__(self) -> str:
        rows = [f"|{'|'.join(row)}|" for row in self.data]
        numbers = "".join(f" {column % 10}" for column in range(self.width))
        return "\n".join([*rows, "-" * (2 * self.width + 1), numbers]) + "\n"

    def clear(self) -> None:
        """Empties the board."""
        self.data = [[EMPTY] * self.width for _ in range(self.height)]

    def addMove(self, col: int, ox: str) -> None:
        """Lets a disc `ox` fall into column `col`, from 0; a full column stays as it is."""
        for row in reversed(self.data):
            if row[col] == EMPTY:
                row[col] = ox
                return

    def delMove(self, col: int) -> None:
        """Takes the top disc out of column `col`, if there is one."""
        for row in self.data:
            if row[col] != EMPTY:
                row[col] = EMPTY
                return

    def allowsMove(self, col: int) -> bool:
        """Whether `col` is a column that is not full."""
        return 0 <= col < self.width and self.data[0][col] == EMPTY

    def isFull(self) -> bool:
        """Whether no column takes another disc."""
        return EMPTY not in self.data[0]

    def setBoard(self, moveString: str) -> None:
        """Plays the columns of a text such as "1211244445", "X" first."""
        self.clear()
        for number, column in enumerate(moveString):
            if 0 <= int(column) < self.width:
                self.addMove(int(column), "XO"[number % 2])

    def winsFor(self, ox: str) -> bool:
        """Whether `ox` has four in a line."""
        return any(
            self._has_line(row, column, down, right, ox)
            for row in range(self.height)
            for column in range(self.width)
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        )

    winFor = winsFor
    """The document writes it both ways."""

    def _has_line(self, row: int, column: int, down: int, right: int, ox: str) -> bool:
        last_row, last_column = row + 3 * down, column + 3 * right
        if last_row >= self.height or not 0 <= last_column < self.width:
            return False
        return all(self.data[row + step * down][column + step * right] == ox for step in range(4))
