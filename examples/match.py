"""Play a match of pairs with swapped colours, and say how sure the result is.

python match.py
"""

from plyground.arena import ArenaConfig, Store, Tournament, format_pair


def main() -> None:
    """Play twelve games of Reversi between two depths of search."""
    config = ArenaConfig(("minimax:depth=2", "minimax:depth=1"), games=12, game="reversi")
    with Store(":memory:") as store:
        tournament = Tournament(config, store)
        for _ in tournament.run():
            pass
        print(format_pair(tournament.crosstable))


if __name__ == "__main__":  # games are played in other processes
    main()
