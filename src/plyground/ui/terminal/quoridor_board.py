"""Quoridor's board as text.

Each cell is three characters wide, with a gap of one to the next, and walls lie in the gaps. Where
four cells meet there is a post; it is drawn by which of its four sides have a wall, so that walls
join as they do on the board.

    3 | .   .   . |
      |--------   |     a2h
    2 | .   1   . |
"""

from __future__ import annotations

from plyground.games.board import Cell, QuoridorBoard
from plyground.ui.terminal.paint import Paint

# By the sides of a post that have a wall: left 1, right 2, up 4, down 8.
JOINTS = " ╸╺━╹┛┗┻╻┓┏┳┃┫┣╋"
# In ASCII the end of a wall has no character of its own.
PLAIN_JOINTS = "   - +++ +++|+++"


def draw(
    board: QuoridorBoard,
    paint: Paint,
    flipped: bool = False,
    indices: bool = False,
    narrow: bool = False,
) -> list[str]:
    """The board with its coordinates, player 1 at the bottom unless it is flipped.

    With `indices`, row 0 is at the top, as the course draws it, with rows and columns numbered from
    0 above and on the left; their names are below and on the right. On a narrow board, cells are
    one character wide, and the pawn that moved last is not marked.
    """
    return _Drawing(board, paint, flipped, indices, 1 if narrow else 3).lines()


class _Drawing:
    """A board being drawn; rows and columns are in the order they are seen."""

    def __init__(
        self, board: QuoridorBoard, paint: Paint, flipped: bool, indices: bool, width: int
    ) -> None:
        self.board = board
        self.paint = paint
        self.indices = indices
        self.width = width  # characters of a cell
        ascending = list(range(board.size))
        self.rows = ascending if flipped != indices else ascending[::-1]
        self.columns = ascending[::-1] if flipped else ascending
        # Edges that walls close: above a cell, and right of it.
        self.above = {cell for r, c in board.h_walls for cell in ((r, c), (r, c + 1))}
        self.right = {cell for r, c in board.v_walls for cell in ((r, c), (r + 1, c))}
        self.new_above: set[Cell] = set()
        self.new_right: set[Cell] = set()
        if board.last is not None and board.last[0] != "move":
            kind, (r, c) = board.last
            if kind == "h_wall":
                self.new_above = {(r, c), (r, c + 1)}
            else:
                self.new_right = {(r, c), (r + 1, c)}

    def lines(self) -> list[str]:
        plain = self.paint.is_plain
        corner = "++++" if plain else "┌┐└┘"
        line = ("-" if plain else "─") * ((self.width + 1) * self.board.size - 1)
        letters = " ".join(f"{'abcdefghi'[column]:^{self.width}}" for column in self.columns)
        lines = [self.paint(f"  {corner[0]}{line}{corner[1]}", "faint")]
        if self.indices:
            numbers = " ".join(f"{column:^{self.width}}" for column in self.columns)
            lines.insert(0, self.paint(f"   {numbers} ", "faint"))
        for i, row in enumerate(self.rows):
            lines.append(self.cells(row))
            if i + 1 < len(self.rows):
                lines.append(self.gap(row, self.rows[i + 1]))
        lines.append(self.paint(f"  {corner[2]}{line}{corner[3]}", "faint"))
        lines.append(self.paint(f"   {letters} ", "faint"))
        return lines

    def cells(self, row: int) -> str:
        parts = []
        for i, column in enumerate(self.columns):
            parts.append(self.cell((row, column)))
            if i + 1 < len(self.columns):
                edge = (row, min(column, self.columns[i + 1]))
                parts.append(self.wall_piece(edge in self.right, edge in self.new_right, "|┃║"))
        side = self.paint("|" if self.paint.is_plain else "│", "faint")
        line = side + "".join(parts) + side
        if self.indices:
            return self.paint(f"{row} ", "faint") + line + self.paint(f" {row + 1}", "faint")
        return self.paint(f"{row + 1} ", "faint") + line

    def cell(self, cell: Cell) -> str:
        board, paint = self.board, self.paint
        for player, pawn in board.pawns.items():
            if pawn == cell:
                moved = board.last == ("move", cell)
                sign = f"[{player}]" if moved and self.width > 1 else str(player)
                return self.sign(sign, f"player{player}")
        if cell == board.last_from:
            return self.sign("( )" if self.width > 1 else "o", "faint")
        if cell in board.targets:
            return self.sign("+", "target")
        on = [player for player in (1, 2) if cell in board.paths[player - 1]]
        if on:
            sign = {(1,): "'", (2,): ",", (1, 2): ";"}[tuple(on)]
            return self.sign(sign, f"player{on[0]}" if len(on) == 1 else "strong")
        return self.sign("." if paint.is_plain else "·", "faint")

    def sign(self, sign: str, style: str) -> str:
        """What is in a cell, at its middle."""
        return self.paint(f"{sign:^{self.width}}", style)

    def gap(self, upper: int, lower: int) -> str:
        row = min(upper, lower)
        parts = []
        for i, column in enumerate(self.columns):
            edge = (row, column)
            is_there, is_new = edge in self.above, edge in self.new_above
            parts.append(self.wall_piece(is_there, is_new, "-━═", self.width))
            if i + 1 < len(self.columns):
                parts.append(self.post(upper, lower, column, self.columns[i + 1]))
        side = self.paint("|" if self.paint.is_plain else "│", "faint")
        return "  " + side + "".join(parts) + side

    def post(self, upper: int, lower: int, left: int, right: int) -> str:
        row, column = min(upper, lower), min(left, right)
        if (row, left) in self.new_above and (row, right) in self.new_above:
            return self.wall_piece(True, True, "-━═")
        if (upper, column) in self.new_right and (lower, column) in self.new_right:
            return self.wall_piece(True, True, "|┃║")
        sides = (
            ((row, left) in self.above)
            + 2 * ((row, right) in self.above)
            + 4 * ((upper, column) in self.right)
            + 8 * ((lower, column) in self.right)
        )
        joint = (PLAIN_JOINTS if self.paint.is_plain else JOINTS)[sides]
        return self.paint(joint, "wall") if joint != " " else joint

    def wall_piece(self, is_there: bool, is_new: bool, signs: str, width: int = 1) -> str:
        """A piece of wall: signs for ASCII, for a terminal, and for the wall placed last."""
        if not is_there:
            return " " * width
        if self.paint.is_plain:
            return ("#" if is_new else signs[0]) * width
        return self.paint(signs[2 if is_new else 1] * width, "last" if is_new else "wall")
