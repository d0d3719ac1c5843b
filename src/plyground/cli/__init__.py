"""The `plyground` command: `main.py`, and one file for each subcommand."""
