"""The least that can be asked over HTTP: one route of Starlette that answers so many bytes.

Run: python -m tests.benchmarks.bare_server BYTES
"""

import sys

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from loreweave.faces.http.serving import bound_socket, serve_on


def main() -> None:
    answer = b'"' + b"x" * max(0, int(sys.argv[1]) - 2) + b'"'

    async def bare(request: Request) -> Response:
        await request.body()
        return Response(answer, media_type="application/json")

    app = Starlette(routes=[Route("/bare", bare, methods=["GET", "POST"])])
    serve_on(app, bound_socket("127.0.0.1", 0), lambda address: print(f"listens on {address}", file=sys.stderr))


if __name__ == "__main__":
    main()
