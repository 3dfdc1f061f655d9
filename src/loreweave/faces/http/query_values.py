"""Values in the query string that many addresses take."""

from starlette.requests import HTTPConnection

from loreweave.errors import InvalidInput
from loreweave.faces.request_values import shown_name

MOST_DIGITS = 18  # what every database keeps; a larger number is as good as the largest of these


def graph_asked(request: HTTPConnection) -> str | None:
    return asked_once(request, "graph") or None


def asked_once(request: HTTPConnection, name: str) -> str | None:
    values = request.query_params.getlist(name)
    if len(values) > 1:
        raise InvalidInput(f"{name} is given twice", field=name)
    return values[0] if values else None


def whole_number(request: HTTPConnection, name: str, default: int, low: int = 0, high: int | None = None) -> int:
    """Digits and nothing else, so that one number is written one way."""
    text = asked_once(request, name)
    if text is None:
        return default
    if text.isascii() and text.isdigit():
        digits = text.lstrip("0") or "0"
        number = int(digits) if len(digits) <= MOST_DIGITS else 10**MOST_DIGITS
        if low <= number and (high is None or number <= high):
            return number
    bounds = f"of at least {low}" if high is None else f"from {low} to {high}"
    raise InvalidInput(f"{name} must be a whole number {bounds}", field=name)


def only_asked(request: HTTPConnection, *known: str) -> None:
    """Refuses what nobody would read."""
    for name in request.query_params:
        if name not in known:
            raise InvalidInput(f"Unknown field {shown_name(name)}", field=shown_name(name))
