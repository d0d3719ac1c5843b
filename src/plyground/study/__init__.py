"""Studies: questions about the games and the searchers that many games answer."""
