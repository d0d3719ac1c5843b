"""What can be said about a move of Reversi: corners, moves left to the opponent, and discs."""

from __future__ import annotations

from plyground.analysis.move_class import lost_points
from plyground.analysis.remarks import Remark, Sentences
from plyground.games.reversi import PASS, State
from plyground.search.result import SearchResult

SIZE = 8
MANY = 2
"""Moves more for the opponent that are worth a sentence."""

TEXTS: Sentences = {
    "reversi.gives_corner": (
        "It lets them take the corner {corner}.",
        "It lets the opponent take the corner {corner}.",
    ),
    "reversi.near_corner": (
        "It is next to the empty corner {corner}.",
        "It is next to the empty corner {corner}.",
    ),
    "reversi.missed_corner": (
        "You could take the corner {move}.",
        "The player could take the corner {move}.",
    ),
    "reversi.better_passes": (
        "After {move} they would have to pass.",
        "After {move} the opponent would have to pass.",
    ),
    "reversi.leaves_moves": (
        "It leaves them {their_moves}; {move} would leave {better_moves}.",
        "It leaves the opponent {their_moves}; {move} would leave {better_moves}.",
    ),
    "reversi.turns_discs": (
        "It turns {own_discs}; {move} would turn {better_discs}.",
        "It turns {own_discs}; {move} would turn {better_discs}.",
    ),
    "reversi.costs_discs": (
        "With best play to the end it costs {lost_discs}.",
        "With best play to the end it costs {lost_discs}.",
    ),
    "reversi.win_to_draw": (
        "With best play to the end it costs {lost_discs}: a draw instead of a win.",
        "With best play to the end it costs {lost_discs}: a draw instead of a win.",
    ),
    "reversi.win_to_loss": (
        "With best play to the end it costs {lost_discs}: a loss instead of a win.",
        "With best play to the end it costs {lost_discs}: a loss instead of a win.",
    ),
    "reversi.draw_to_loss": (
        "With best play to the end it costs {lost_discs}: a loss instead of a draw.",
        "With best play to the end it costs {lost_discs}: a loss instead of a draw.",
    ),
}


def explain_move(
    state: State, action: int, best: SearchResult, answer: SearchResult | None
) -> list[Remark]:
    """A fact about squares, and then what it costs, if the end is solved."""
    remarks = [*_about_corners(state, action, best.best_move)][:1]
    remarks = remarks or [*_about_mobility(state, action, best.best_move)][:1]
    remarks += _about_cost(state, action, best, answer)
    return remarks or _about_discs(state, action, best.best_move)


def _about_corners(state: State, action: int, better: int) -> list[Remark]:
    remarks = []
    corners = _corners(state)
    if better in corners and action not in corners:
        remarks.append(Remark("reversi.missed_corner", {"move": state.format_move(better)}))
    given = _corners_open(state.play(action)) - _corners_open(state.play(better))
    if given:
        corner = state.format_move(min(given))
        remarks.append(Remark("reversi.gives_corner", {"corner": corner}))
    if (near := _empty_corner_near(state, action)) is not None:
        corner = state.format_move(near)
        remarks.append(Remark("reversi.near_corner", {"corner": corner}))
    return remarks


def _about_mobility(state: State, action: int, better: int) -> list[Remark]:
    move = state.format_move(better)
    theirs, fewer = (state.play(each).legal_actions() for each in (action, better))
    if fewer == [PASS] and theirs != [PASS]:
        return [Remark("reversi.better_passes", {"move": move})]
    if len(theirs) < len(fewer) + MANY or PASS in theirs or PASS in fewer:
        return []
    values: dict[str, int | str] = {"move": move}
    return [
        Remark(
            "reversi.leaves_moves",
            {**values, "their_moves": len(theirs), "better_moves": len(fewer)},
        )
    ]


def _about_discs(state: State, action: int, better: int) -> list[Remark]:
    turned, other = (_turned(state, each) for each in (action, better))
    if turned == other:
        return []
    values: dict[str, int | str] = {"move": state.format_move(better)}
    return [Remark("reversi.turns_discs", {**values, "own_discs": turned, "better_discs": other})]


def _about_cost(
    state: State, action: int, best: SearchResult, answer: SearchResult | None
) -> list[Remark]:
    """The discs that a move gives away by exact results, and how it changes the outcome."""
    lost = round(lost_points(state, action, best, answer))
    if lost <= 0 or best.score is None:
        return []
    before, after = (_outcome(best.score.value - discs) for discs in (0, lost))
    kind = "costs_discs" if before == after else f"{before}_to_{after}"
    return [Remark(f"reversi.{kind}", {"lost_discs": lost})]


def _outcome(discs: float) -> str:
    return "win" if discs > 0 else "draw" if discs == 0 else "loss"


def _corners_open(state: State) -> set[int]:
    """The corners that the player to move can take."""
    return _corners(state) & set(state.legal_actions())


def _empty_corner_near(state: State, action: int) -> int | None:
    """The empty corner diagonally next to a square."""
    row, column = divmod(action, SIZE)
    taken = state.black | state.white
    for corner in sorted(_corners(state)):
        corner_row, corner_column = divmod(corner, SIZE)
        if abs(row - corner_row) == abs(column - corner_column) == 1 and not taken >> corner & 1:
            return corner
    return None


def _turned(state: State, action: int) -> int:
    """The discs of the opponent that a move turns."""
    opponent = 3 - state.current_player
    return int(state.counts[opponent] - state.play(action).counts[opponent])


def _corners(state: State) -> set[int]:
    ends = (0, state.board_size - 1)
    return {row * SIZE + column for row in ends for column in ends}
