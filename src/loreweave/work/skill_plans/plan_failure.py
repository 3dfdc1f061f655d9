"""Why a run of a plan ends before its end."""


class PlanFailure(Exception):
    """One sentence for people: it becomes the message of the run's last event."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence
