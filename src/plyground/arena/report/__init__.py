"""What a store of games says, as a page with plots: `plyground report`."""

from plyground.arena.report.digest import BoardDigest, digest_games, digest_store
from plyground.arena.report.write import write_report

__all__ = ["BoardDigest", "digest_games", "digest_store", "write_report"]
