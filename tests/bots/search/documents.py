"""What the class documents print of Puissance 4, for our bots and for the files of class. Facts only."""

from games import Seat

COLUMNS_002 = "1211244445"

EXAMPLES = [
    (0, 0, Seat.FIRST, ["OOO----", "XXX----", "OOO----", "XXX----", "OOO----", "XXXX---"]),
    (1, 1, Seat.FIRST, ["OO-----", "XX-----", "OO-----", "XX-----", "OOO----", "XXXX---"]),
    (3, 2, Seat.SECOND, ["OOXXOO-", "XXOOXX-", "OOXXOO-", "XXOOXX-", "OOXOOOO", "XXXOXXX"]),
]
