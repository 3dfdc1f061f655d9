"""The design files of a workspace: what is saved, and what is loaded again."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from loreweave.contracts.wire import WireValue

LONGEST_PATH = 500  # characters


def _an_object(value: Any) -> Any:
    if not isinstance(value, dict):
        raise ValueError("must be an object")
    return value


def _a_list(value: Any) -> Any:
    if not isinstance(value, list):
        raise ValueError("must be a list of objects")
    return value


JsonObject = Annotated[dict[str, Any], BeforeValidator(_an_object)]
JsonObjects = Annotated[list[JsonObject], BeforeValidator(_a_list)]
WorkspacePath = Annotated[str, Field(min_length=1, max_length=LONGEST_PATH)]


class WorkspaceSaveRequest(WireValue):
    """What is absent or null is left as it is."""

    workspace_path: WorkspacePath
    workspace_json: JsonObject | None = None
    skills: JsonObjects | None = None
    rules: JsonObjects | None = None
    portals: JsonObjects | None = None


class SavedWorkspace(WireValue):
    status: Literal["saved"] = "saved"


class WorkspaceLoadRequest(WireValue):
    workspace_path: WorkspacePath


class LoadedWorkspace(WireValue):
    """Empty where there was no file."""

    workspace: dict[str, Any]
    skills: list[dict[str, Any]]
    rules: list[dict[str, Any]]
    portals: list[dict[str, Any]]
