"""The messages that programs exchange, as values and as bytes, without sockets."""
