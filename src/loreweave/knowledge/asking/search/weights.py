"""The figures of the ranking, tuned on one half of the evaluation's questions and reported on the other."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class FieldWeight:
    """How much a mention in a field counts, and how far the field's length matters."""

    weight: float
    length: float


@dataclass(frozen=True, slots=True)
class Weights:
    """Baked into an index when it is built."""

    heading: FieldWeight = field(default=FieldWeight(6.0, 0.6))
    title: FieldWeight = field(default=FieldWeight(3.0, 0.4))
    terms: FieldWeight = field(default=FieldWeight(2.0, 0.3))
    literals: FieldWeight = field(default=FieldWeight(0.6, 0.6))
    text: FieldWeight = field(default=FieldWeight(1.0, 0.7))
    summary: FieldWeight = field(default=FieldWeight(0.2, 0.5))
    part: float = 0.5  # of an identifier, beside a word that stands by itself
    saturation: float = 0.8


FIELDS = ("heading", "title", "terms", "literals", "text", "summary")
