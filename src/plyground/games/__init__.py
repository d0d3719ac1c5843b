"""The games: their rules, and the `Game` objects through which other packages use them."""
