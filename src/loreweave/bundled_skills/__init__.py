"""What comes with the product: skills about it, and the demo corpus."""
