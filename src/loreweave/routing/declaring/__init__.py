"""What a caller declares: skills, conditions, routes and trees, before they are checked and compiled."""
