"""The review of a game in English, for the terminal and the window."""

from __future__ import annotations

from plyground.analysis.game_report import GameReport, PlyReport
from plyground.hints import counted


def format_players(report: GameReport) -> list[str]:
    """A line for each player who moved: accuracy, and the moves by class."""
    lines = []
    for player in (1, 2):
        accuracy = report.accuracy(player)
        if accuracy is None:
            continue
        name = report.record.player_name(player, "?")
        counts = [f"{kind} {number}" for kind, number in report.class_counts(player).items()]
        lines.append(f"player {player} ({name}): accuracy {accuracy:.0%}; {', '.join(counts)}")
    return lines


def format_exact(report: GameReport) -> list[str]:
    """A line that says from which move on results are exact, if there is such a move."""
    first = report.exact_from
    return [] if first is None else [f"from {first.turn} {first.move} on: exact results"]


def format_mistake(report: GameReport, ply: PlyReport, you: int | None = None) -> list[str]:
    """A move and the better line, then the reason; `you` is the player who reads it."""
    lost = f"{ply.chance:.0%} to {ply.chance - ply.loss:.0%}"
    lines = [f"{ply.turn:>6} {ply.move + ply.mark:<7} {lost:<12} better: {ply.best_line}"]
    if why := ply.explanation(report.game, ply.player == you):
        lines.append(f"       {why}")
    return lines


def format_review(report: GameReport, you: int | None = None) -> list[str]:
    """All mistakes with their reasons, where exact results begin, then both players."""
    mistakes = [ply for ply in report.plies if ply.mark]
    lines = [f"{counted(len(mistakes), 'mistake')} in {counted(len(report.plies), 'move')}"]
    for ply in mistakes:
        lines += format_mistake(report, ply, you)
    return lines + format_exact(report) + format_players(report)
