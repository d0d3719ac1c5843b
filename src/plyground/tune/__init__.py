"""How the numbers of the evaluations and searches are found."""
