"""Values in the query string that many addresses take."""

from starlette.requests import Request

from loreweave.errors import InvalidInput


def graph_asked(request: Request) -> str | None:
    return asked_once(request, "graph") or None


def asked_once(request: Request, name: str) -> str | None:
    values = request.query_params.getlist(name)
    if len(values) > 1:
        raise InvalidInput(f"{name} is given twice", field=name)
    return values[0] if values else None
