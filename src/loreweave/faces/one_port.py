"""HTTP, MCP and the page together: what `lore serve` offers on one port."""

from starlette.applications import Starlette

from loreweave.access.access_policy import access_policy
from loreweave.application import Application
from loreweave.faces.http.app import create_app
from loreweave.faces.mcp.resources import SectionResources
from loreweave.faces.mcp.server import create_server
from loreweave.faces.mcp.toolsets import open_toolsets
from loreweave.faces.mcp.transports import HttpSessions


def one_port_app(application: Application) -> Starlette:
    """Folders of this computer are read over /mcp only while the server is open on loopback."""
    folders = access_policy(application.settings).open_on_loopback
    tools = open_toolsets(application, folders=folders)
    sessions = HttpSessions(create_server(tools, SectionResources(application)))
    return create_app(application, mcp=sessions.asgi_app, running=sessions.run)
