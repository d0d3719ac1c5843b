"""Learning from self-play. Start with `loop.py`; every setting is in `config.py`."""
