"""The messages programs exchange, as values and as bytes; no sockets here."""
