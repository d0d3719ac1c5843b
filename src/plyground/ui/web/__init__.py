"""The web page: a server of live games, and the page that shows them (static/)."""
