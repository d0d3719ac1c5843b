"""Play our Reversi engine against rust-reversi, at equal time per move.

Needs the extra `bench`. Openings come from the XOT list; each is played twice, with the colours
swapped. rust-reversi runs an alpha-beta search with one of its own evaluators: "matrix" (square
values, here those of our classic evaluation) or "legal" (number of legal moves).

Example: python benchmarks/reversi_match.py --games 100 --time 0.1
"""

from __future__ import annotations

import argparse
import random

import rust_reversi

from plyground import reversi
from plyground.arena.reversi_openings import xot_openings
from plyground.search import Engine, SearchLimits

_QUARTER = [[25, -10, 5, 2], [-10, -15, -3, -1], [5, -3, 3, 1], [2, -1, 1, 0]]
_MATRIX = [[_QUARTER[min(r, 7 - r)][min(c, 7 - c)] for c in range(8)] for r in range(8)]


def their_move(searcher: rust_reversi.AlphaBetaSearch, state: reversi.State, time_s: float) -> int:
    """rust-reversi's move; a forced move is returned without a search."""
    actions = state.legal_actions()
    if len(actions) == 1:
        return actions[0]
    squares, side = state.text().split()
    board = rust_reversi.Board()
    turn = rust_reversi.Turn.BLACK if side == "X" else rust_reversi.Turn.WHITE
    board.set_board_str(squares, turn)
    if sorted(board.get_legal_moves_vec()) != actions:
        raise RuntimeError(f"rust-reversi disagrees on the legal moves in {state.text()!r}")
    return int(searcher.get_move_with_timeout(board, max(1, round(1000 * time_s))))


def play(opening: reversi.State, ours: int, evaluator: str, time_s: float) -> int:
    """Play one game; return our disc difference."""
    engine = Engine(game="reversi")
    evaluation = (
        rust_reversi.MatrixEvaluator(_MATRIX)
        if evaluator == "matrix"
        else rust_reversi.LegalNumEvaluator()
    )
    searcher = rust_reversi.AlphaBetaSearch(evaluation, 60, 10_000)
    state = opening
    while not state.game_over:
        if state.current_player == ours:
            action = engine.search(state, SearchLimits(time_s=time_s)).best_move
        else:
            action = their_move(searcher, state, time_s)
        state = state.play(action)
    return state.score if ours == 1 else -state.score


def main() -> None:
    """Play the match and print the running score."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20, help="an even number (default: 20)")
    parser.add_argument("--time", type=float, default=0.1, help="seconds per move (default: 0.1)")
    parser.add_argument("--evaluator", choices=["matrix", "legal"], default="matrix")
    parser.add_argument("--seed", type=int, default=1, help="seed for the openings (default: 1)")
    args = parser.parse_args()
    scores: list[int] = []
    for opening in xot_openings(args.games // 2, random.Random(args.seed)):
        for ours in (1, 2):
            scores.append(play(opening, ours, args.evaluator, args.time))
            wins, draws = sum(s > 0 for s in scores), scores.count(0)
            print(
                f"\r{len(scores)} games: +{wins} ={draws} -{len(scores) - wins - draws}, "
                f"{sum(scores) / len(scores):+.1f} discs per game",
                end="",
                flush=True,
            )
    print()


if __name__ == "__main__":
    main()
