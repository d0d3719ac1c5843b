"""Networks: what they see, what they compute, how they are exported and evaluated."""
