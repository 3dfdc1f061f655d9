"""Access tokens: made, listed, revoked. A secret is shown once, when it is made."""

import json as json_format
from typing import Annotated, Any

import typer

from loreweave.faces.cli.opened import opened
from loreweave.faces.cli.options import Data, Json
from loreweave.faces.cli.printing import say, write

tokens = typer.Typer(help="Create, list and revoke access tokens.", no_args_is_help=True, rich_markup_mode=None)


def add_to(app: typer.Typer) -> None:
    app.add_typer(tokens, name="token")


@tokens.command("create")
def create(
    user: Annotated[str, typer.Argument(help="Whose token it is; ingest limits count per user.")] = "owner",
    data: Data = None,
    json: Json = False,
) -> None:
    """Create a token and show its secret, once."""
    with opened(data) as application:
        token = application.access.create_token(user)
    _print({"id": token.id, "user": token.user, "token": token.secret})
    say("Keep this token: it is not shown again. Send it as `Authorization: Bearer …`.")


@tokens.command("list")
def list_tokens(data: Data = None, json: Json = False) -> None:
    """List tokens, without their secrets."""
    with opened(data) as application:
        found = application.access.tokens()
    _print({"tokens": [_shown(token) for token in found]})


@tokens.command("revoke")
def revoke(id: Annotated[str, typer.Argument(help="The token's id.")], data: Data = None, json: Json = False) -> None:
    """Revoke a token."""
    with opened(data) as application:
        _print(_shown(application.access.revoke(id)))


def _shown(token: Any) -> dict[str, Any]:
    return {"id": token.id, "user": token.user, "createdAt": token.created_at, "revokedAt": token.revoked_at}


def _print(value: dict[str, Any]) -> None:
    write(json_format.dumps(value, ensure_ascii=False, indent=2).encode() + b"\n")
