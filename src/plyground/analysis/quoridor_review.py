"""What can be said about a move of Quoridor: what walls cost, and the steps left to the goal."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.analysis.remarks import Remark, Sentences
from plyground.games.quoridor import State
from plyground.search.result import SearchResult

COSTLY = 2
"""Steps that an answering wall has to cost to be worth a sentence before all others."""

TEXTS: Sentences = {
    "quoridor.wall_costs_own": (
        "This wall costs you {own_steps} and them none.",
        "This wall costs its player {own_steps} and the opponent none.",
    ),
    "quoridor.wall_costs_theirs": (
        "This wall costs them {their_steps} and you none.",
        "This wall costs the opponent {their_steps} and its player none.",
    ),
    "quoridor.wall_costs_both": (
        "This wall costs you {own_steps} and them {their_steps}.",
        "This wall costs its player {own_steps} and the opponent {their_steps}.",
    ),
    "quoridor.wall_costs_nothing": (
        "This wall costs neither of you a step.",
        "This wall costs neither player a step.",
    ),
    "quoridor.step_back": (
        "This step makes your way {own_steps} longer.",
        "This step makes the player's way {own_steps} longer.",
    ),
    "quoridor.step_aside": (
        "This step brings you no closer.",
        "This step brings the player no closer.",
    ),
    "quoridor.step": (
        "After this step you need {own_steps}, they need {their_steps}.",
        "After this step the player needs {own_steps}, the opponent {their_steps}.",
    ),
    "quoridor.answer_costs": (
        "The answer {reply} costs you {own_steps}.",
        "The answer {reply} costs the player {own_steps}.",
    ),
    "quoridor.better_wall": (
        "{move} would cost them {their_steps} and you none.",
        "{move} would cost the opponent {their_steps} and the player none.",
    ),
    "quoridor.better_wall_both": (
        "{move} would cost them {their_steps} and you {own_steps}.",
        "{move} would cost the opponent {their_steps} and the player {own_steps}.",
    ),
    "quoridor.better_step": (
        "After {move} you would need {own_steps}, they {their_steps}.",
        "After {move} the player would need {own_steps}, the opponent {their_steps}.",
    ),
}


@dataclass(frozen=True, slots=True)
class _Change:
    """What a move does to both ways to the goal, for the player who makes it."""

    is_wall: bool
    own: int
    their: int
    own_cost: int
    their_cost: int

    @classmethod
    def of(cls, state: State, action: int) -> _Change:
        mover, after = state.current_player, state.play(action)
        own, their = _steps(after, mover)
        own_before, their_before = _steps(state, mover)
        is_wall = action >= state.board_size**2
        return cls(is_wall, own, their, own - own_before, their - their_before)


def explain_move(
    state: State, action: int, best: SearchResult, answer: SearchResult | None
) -> list[Remark]:
    """What the move did, and then what was worse about it than about the best move."""
    played, better = _Change.of(state, action), _Change.of(state, best.best_move)
    remarks = [_about(played)]
    cost = 0 if answer is None else _answer_cost(state.play(action), answer.best_move)
    if answer is not None and cost >= COSTLY:
        remarks.append(_answer(state.play(action), answer, cost))
    elif (second := _about_better(state, played, better, best.best_move)) is not None:
        remarks.append(second)
    elif answer is not None and cost > 0:
        remarks.append(_answer(state.play(action), answer, cost))
    return remarks


def _about(played: _Change) -> Remark:
    own, their = played.own_cost, played.their_cost
    if not played.is_wall:
        if own > 0:
            return Remark("quoridor.step_back", {"own_steps": own})
        if own == 0:
            return Remark("quoridor.step_aside")
        return Remark("quoridor.step", {"own_steps": played.own, "their_steps": played.their})
    if own and their:
        return Remark("quoridor.wall_costs_both", {"own_steps": own, "their_steps": their})
    if own:
        return Remark("quoridor.wall_costs_own", {"own_steps": own})
    if their:
        return Remark("quoridor.wall_costs_theirs", {"their_steps": their})
    return Remark("quoridor.wall_costs_nothing")


def _about_better(state: State, played: _Change, better: _Change, action: int) -> Remark | None:
    """What the better move does; None if the ways to the goal do not show it."""
    move, costs = state.format_move(action), (better.own_cost, better.their_cost)
    if better.is_wall:
        if better.their_cost <= 0 or (played.is_wall and _costs(played) == costs):
            return None
        values: dict[str, int | str] = {"move": move, "their_steps": better.their_cost}
        if not better.own_cost:
            return Remark("quoridor.better_wall", values)
        return Remark("quoridor.better_wall_both", {**values, "own_steps": better.own_cost})
    if (better.own, better.their) == (played.own, played.their):
        return None
    return Remark(
        "quoridor.better_step",
        {"move": move, "own_steps": better.own, "their_steps": better.their},
    )


def _costs(change: _Change) -> tuple[int, int]:
    return change.own_cost, change.their_cost


def _answer_cost(after: State, reply: int) -> int:
    """The steps that an answering wall costs the player who has moved; 0 for other answers."""
    answer = _Change.of(after, reply)
    return answer.their_cost if answer.is_wall else 0


def _answer(after: State, answer: SearchResult, cost: int) -> Remark:
    reply = after.format_move(answer.best_move)
    return Remark("quoridor.answer_costs", {"reply": reply, "own_steps": cost})


def _steps(state: State, player: int) -> tuple[int, int]:
    """The lengths of the player's way and the opponent's."""
    return state.shortest_path_length(player), state.shortest_path_length(3 - player)
