"""What builds know: packs of notes, what agents look up, what is remembered, and where each came from."""
