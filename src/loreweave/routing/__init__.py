"""Which skill an agent is in, what moves it on, and where the model may jump."""
