"""What may be done to this computer."""
