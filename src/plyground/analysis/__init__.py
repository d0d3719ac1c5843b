"""Going through positions and games with a strong player."""
