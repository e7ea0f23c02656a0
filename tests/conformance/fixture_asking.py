"""Tools that ask the client back: by a request of the server before 2026, by a result that wants input since then."""

from __future__ import annotations

import json
import warnings
from typing import Any

import mcp_types as types
from mcp import MCPError
from mcp.shared.exceptions import MCPDeprecationWarning

from .fixture_content import Answer, Context, Handler, text

NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
CONFIRM = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
PERSON = {
    "type": "object",
    "properties": {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    },
    "required": ["username", "email"],
}
DEFAULTS = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    },
    "required": [],
}
_OPTIONS, _VALUES = ["option1", "option2", "option3"], ["value1", "value2", "value3"]


def _titled(noun: str) -> list[dict[str, str]]:
    return [
        {"const": value, "title": f"{nth} {noun}"}
        for value, nth in zip(_VALUES, ("First", "Second", "Third"), strict=True)
    ]


ENUMS = {
    "type": "object",
    "properties": {
        "untitledSingle": {"type": "string", "enum": _OPTIONS},
        "titledSingle": {"type": "string", "oneOf": _titled("Option")},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": _OPTIONS}},
        "titledMulti": {"type": "array", "items": {"anyOf": _titled("Choice")}},
    },
    "required": [],
}


# ---------------------------------------------------------------- requests of the server (to 2025-11-25)


async def _elicited(ctx: Context, message: str, schema: dict[str, Any], lead: str) -> Answer:
    found = await ctx.session.elicit_form(message, schema, related_request_id=ctx.request_id)
    return text(f"{lead}: action={found.action}, content={json.dumps(found.content)}")


async def elicitation(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    return await _elicited(ctx, str((params.arguments or {}).get("message")), PERSON, "User response")


async def elicitation_defaults(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    return await _elicited(ctx, "Please check the defaults", DEFAULTS, "Elicitation completed")


async def elicitation_enums(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    return await _elicited(ctx, "Please choose", ENUMS, "Elicitation completed")


async def sampling(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    asked = types.TextContent(type="text", text=str((params.arguments or {}).get("prompt")))
    with warnings.catch_warnings():
        # Deprecated since 2026-07-28, and required by the set of 2025-11-25.
        warnings.simplefilter("ignore", MCPDeprecationWarning)
        found = await ctx.session.create_message(
            [types.SamplingMessage(role="user", content=asked)], max_tokens=100, related_request_id=ctx.request_id
        )
    return text(f"LLM response: {getattr(found.content, 'text', '')}")


# ---------------------------------------------------------------- results that want input (since 2026-07-28)


def ask_form(message: str, schema: dict[str, Any]) -> types.ElicitRequest:
    """A form for the user, as part of a result."""
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))


def _ask_model(prompt: str, tokens: int) -> types.CreateMessageRequest:
    message = types.SamplingMessage(role="user", content=types.TextContent(type="text", text=prompt))
    return types.CreateMessageRequest(params=types.CreateMessageRequestParams(messages=[message], max_tokens=tokens))


def given(params: types.InputResponseRequestParams, key: str) -> types.InputResponse | None:
    """What the client answered to one question."""
    return (params.input_responses or {}).get(key)


def accepted(params: types.InputResponseRequestParams, key: str, field: str) -> Any:
    """One field of an accepted form; None where the form is missing or says something else."""
    answer = given(params, key)
    if not isinstance(answer, types.ElicitResult) or answer.action != "accept":
        return None
    return (answer.content or {}).get(field)


async def ask_name(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    name = accepted(params, "user_name", "name")
    if not isinstance(name, str):
        return types.InputRequiredResult(input_requests={"user_name": ask_form("What is your name?", NAME)})
    return text(f"Hello, {name}!")


async def ask_capital(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    answer = given(params, "capital_question")
    if not isinstance(answer, types.CreateMessageResult):
        question = _ask_model("What is the capital of France?", 100)
        return types.InputRequiredResult(input_requests={"capital_question": question})
    return text(str(getattr(answer.content, "text", "")))


async def ask_roots(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    answer = given(params, "client_roots")
    if not isinstance(answer, types.ListRootsResult):
        return types.InputRequiredResult(input_requests={"client_roots": types.ListRootsRequest()})
    return text("Roots: " + ", ".join(str(root.uri) for root in answer.roots))


async def ask_with_state(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    # The state is sealed by the SDK's middleware: what arrives here is what was sent from here.
    if params.request_state != "asked" or accepted(params, "confirm", "ok") is None:
        form = ask_form("Please confirm", CONFIRM)
        return types.InputRequiredResult(input_requests={"confirm": form}, request_state="asked")
    return text("state-ok")


async def ask_several(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    questions: types.InputRequests = {
        "user_name": ask_form("What is your name?", NAME),
        "greeting": _ask_model("Generate a greeting", 50),
        "client_roots": types.ListRootsRequest(),
    }
    if params.request_state != "asked" or not questions.keys() <= (params.input_responses or {}).keys():
        return types.InputRequiredResult(input_requests=questions, request_state="asked")
    return text(f"All there, {accepted(params, 'user_name', 'name')}.")


async def ask_in_rounds(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    state = json.loads(params.request_state) if params.request_state else {}
    if "name" not in state:
        if (name := accepted(params, "step1", "name")) is None or not state.get("begun"):
            form = ask_form("Step 1: What is your name?", NAME)
            return types.InputRequiredResult(input_requests={"step1": form}, request_state=json.dumps({"begun": True}))
        schema = {"type": "object", "properties": {"color": {"type": "string"}}, "required": ["color"]}
        form = ask_form("Step 2: What is your favorite color?", schema)
        return types.InputRequiredResult(
            input_requests={"step2": form}, request_state=json.dumps({"begun": True, "name": name})
        )
    return text(f"{state['name']} likes {accepted(params, 'step2', 'color')}.")


async def ask_what_is_offered(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    if params.input_responses:
        return text("Answered.")
    offered, questions = ctx.session.client_capabilities, {}
    if offered is not None and offered.sampling is not None:
        questions["greeting"] = _ask_model("Generate a greeting", 50)
    if offered is not None and offered.elicitation is not None:
        questions["user_name"] = ask_form("What is your name?", NAME)
    return types.InputRequiredResult(input_requests=questions) if questions else text("Nothing can be asked.")


async def needs_sampling(ctx: Context, params: types.CallToolRequestParams) -> Answer:
    needed = types.ClientCapabilities(sampling=types.SamplingCapability())
    if not ctx.session.check_client_capability(needed):
        raise MCPError(
            code=types.MISSING_REQUIRED_CLIENT_CAPABILITY,
            message="This tool needs the capability sampling.",
            data={"requiredCapabilities": {"sampling": {}}},
        )
    return text("The client can sample.")


ASKING: dict[str, Handler] = {
    "test_elicitation": elicitation,
    "test_elicitation_sep1034_defaults": elicitation_defaults,
    "test_elicitation_sep1330_enums": elicitation_enums,
    "test_sampling": sampling,
    "test_input_required_result_elicitation": ask_name,
    "test_streaming_elicitation": ask_name,
    "test_input_required_result_sampling": ask_capital,
    "test_input_required_result_list_roots": ask_roots,
    "test_input_required_result_request_state": ask_with_state,
    "test_input_required_result_tampered_state": ask_with_state,
    "test_input_required_result_multiple_inputs": ask_several,
    "test_input_required_result_multi_round": ask_in_rounds,
    "test_input_required_result_capabilities": ask_what_is_offered,
    "test_missing_capability": needs_sampling,
}
"""Tools that need an answer of the client."""
