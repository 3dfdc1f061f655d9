"""What the protocol's own reader refuses still gets an answer: with its id where one can be found, else with null."""

from collections.abc import Mapping
from typing import Any

import pydantic_core
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, JSONRPCResponse, jsonrpc_message_adapter
from pydantic import ValidationError

from loreweave.contracts.argument_values import INVALID_ARGUMENT
from loreweave.errors import InvalidInput, LoreError
from loreweave.faces.mcp.toolsets import Tool, failed
from loreweave.faces.request_values import Pairs, lenient_json, name_given_twice
from loreweave.language.strange_text import shown

MAX_GREETING_BYTES = 16 * 1024  # it is kept for as long as its session
Answer = JSONRPCError | JSONRPCResponse


def refusal_of(body: bytes) -> JSONRPCError | None:
    """What is wrong with one message, or nothing."""
    try:
        value = pydantic_core.from_json(body)
    except ValueError as trouble:
        return _error(_lenient(body), PARSE_ERROR, _not_json(str(trouble)))
    try:
        jsonrpc_message_adapter.validate_python(value, by_name=False)
    except ValidationError:
        return _error(value, INVALID_REQUEST, _no_message(value))
    if len(body) > MAX_GREETING_BYTES and value.get("method") == "initialize":
        return _error(value, INVALID_REQUEST, f"A client introduces itself in at most {MAX_GREETING_BYTES:,} bytes")
    twice = _given_twice(body)
    return None if twice is None else _error(value, INVALID_REQUEST, twice)


def unclear_call(line: str, tools: Mapping[str, Tool]) -> Answer | None:
    """The answer to a call that names an argument twice: the library would take the last without a word."""
    twice = _given_twice(line)
    if twice is None:
        return None
    message = _lenient(line)
    return _tool_result(message, tools, twice) or _error(message, INVALID_REQUEST, twice)


def _given_twice(line: str | bytes) -> str | None:
    """What a call of a tool holds twice, as a sentence; other messages are none of our business."""
    found: list[str] = []

    def note(pairs: Pairs) -> dict[str, Any]:
        twice = name_given_twice(pairs)
        found.extend(() if twice is None else (twice,))
        return dict(pairs)

    try:
        message = lenient_json(line, note)
    except ValueError:  # told by whoever reads it next
        return None
    is_call = isinstance(message, dict) and message.get("method") == "tools/call"
    return f"{shown(found[0])} is given twice" if found and is_call else None


def answer_to(trouble: Exception, tools: Mapping[str, Tool]) -> Answer | None:
    """The answer to a line that the reader refused with this trouble; a blank line needs none."""
    if not isinstance(trouble, ValidationError):
        return _error(None, PARSE_ERROR, "The message cannot be read")
    faults = trouble.errors(include_url=False)
    if faults[0]["type"] != "json_invalid":
        # A message lacks what some other kind of message has: such a fault shows the message as a whole.
        whole = next((fault["input"] for fault in faults if fault["type"] == "missing"), faults[0]["input"])
        return _error(whole, INVALID_REQUEST, _no_message(whole))
    line, reason = faults[0]["input"], str(faults[0].get("ctx", {}).get("error", "it cannot be read"))
    if not line.strip():
        return None
    return _tool_result(_lenient(line), tools, reason) or _error(_lenient(line), PARSE_ERROR, _not_json(reason))


def _tool_result(message: Any, tools: Mapping[str, Tool], reason: str) -> JSONRPCResponse | None:
    """A failure of a known tool is a result, not a protocol error."""
    number = _id_of(message)
    if number is None or message.get("method") != "tools/call" or not isinstance(message.get("params"), dict):
        return None
    name = message["params"].get("name")
    if not isinstance(name, str) or name not in tools:
        return None
    refusal = _own_refusal(tools[name], message["params"].get("arguments"), reason)
    result = failed(refusal.shape()).model_dump(by_alias=True, mode="json", exclude_none=True)
    return JSONRPCResponse(jsonrpc="2.0", id=number, result=result)


def _own_refusal(tool: Tool, arguments: Any, reason: str) -> LoreError:
    """A tool that reads its arguments itself names the field that holds what cannot be read."""
    sentence = f"arguments cannot be read: {reason}"
    if tool.read is None:
        return InvalidInput(sentence, field="arguments")
    try:
        tool.read(arguments if isinstance(arguments, dict) else {})
    except LoreError as refusal:
        return refusal
    return InvalidInput(sentence, code=INVALID_ARGUMENT, field="arguments")


def _error(message: Any, code: int, sentence: str) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=_id_of(message), error=ErrorData(code=code, message=sentence))


def _lenient(line: str | bytes) -> Any:
    """The message as a reader sees it who takes lone surrogates, or nothing: good only for finding what was meant."""
    try:
        return lenient_json(line)
    except ValueError:
        return None


def _id_of(message: Any) -> str | int | None:
    """The id of what was meant as a request; an answer's id belongs to the other side."""
    if not isinstance(message, dict) or "result" in message or "error" in message:
        return None
    number = message.get("id")
    if isinstance(number, str):
        return number if number.encode("utf-8", "replace").decode() == number else None  # no surrogates
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def _not_json(reason: str) -> str:
    return f"The message is not valid JSON: {reason}"


def _no_message(value: Any) -> str:
    if not isinstance(value, dict):
        return "A message must be one JSON object"
    if value.get("jsonrpc") != "2.0":
        return 'jsonrpc must be "2.0"'
    if "method" in value and not isinstance(value.get("params") or {}, dict):
        return "params must be an object"
    return "The message is no JSON-RPC request, notification or answer"
