"""Studies: questions about games and searchers that are answered by playing many games."""
