"""Run a tournament, print the standings and plot the ratings (extras `data` and `plot`).

python tournament.py        writes tournament.sqlite and ratings.png; run again, it continues
"""

from matplotlib.figure import Figure

from plyground.arena import ArenaConfig, Store, Tournament


def main() -> None:
    """Play the games that are missing, then plot."""
    config = ArenaConfig(
        ("engine:nodes=100", "pathfinder", "random"),
        games=2,
        settings={"board": 3},
        openings="start",
    )
    with Store("tournament.sqlite") as store:
        tournament = Tournament(config, store)
        for game in tournament.run():
            print(game.task.player1, game.record.result, game.task.player2)
        frame = tournament.to_frame()
    print(frame[["agent", "elo", "score", "games"]])

    figure = Figure(figsize=(5, 2.5), layout="constrained")
    axis = figure.subplots()
    errors = [frame["elo"] - frame["low"], frame["high"] - frame["elo"]]
    axis.errorbar(frame["elo"], frame["agent"], xerr=errors, fmt="o", capsize=3)
    axis.set_xlabel("Elo")
    figure.savefig("ratings.png")


if __name__ == "__main__":  # games are played in other processes
    main()
