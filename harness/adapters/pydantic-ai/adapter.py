"""pydantic-ai behind the stdio adapter protocol, version 1.

The adapter translates and decides nothing: tools, rows and errors change their names on the way
through. What is searched, found, shown, refused and restored is pydantic-ai's own doing.
"""

import asyncio
import json
import os
import sys
from importlib import import_module
from importlib.metadata import version

import httpx2
from pydantic_ai import Agent, Tool, ToolFailed, UsageLimits, UserError, capture_run_messages, messages as m
from pydantic_ai.capabilities import ToolSearch

SEARCH = "search_tools"
# The module, the model and the provider of each API; importing all of them would double each start.
APIS = {
    "openai-chat": ("openai", "OpenAIChatModel", "OpenAIProvider"),
    "openai-responses": ("openai", "OpenAIResponsesModel", "OpenAIProvider"),
    "anthropic-messages": ("anthropic", "AnthropicModel", "AnthropicProvider"),
}
# How pydantic-ai is told that a model's provider loads tools by itself, and that none does.
LOADS = {
    "openai-responses": {"tool_addition_mode": "with_definitions"},
    "anthropic-messages": {"tool_addition_mode": "by_reference", "tool_deferral_mode": "standalone"},
}
LOADS_NONE = {"tool_addition_mode": None, "tool_deferral_mode": None}
HELLO = {
    "protocolVersion": 1,
    "runtime": {"name": "pydantic-ai", "version": version("pydantic-ai-slim"), "language": "python"},
    "capabilities": {
        "providerApis": list(APIS), "nativeDeferral": list(LOADS), "modes": ["agent"], "coreTools": "given",
        "transcript": True, "abort": True, "setTools": True,
        "concurrent": False, "activity": False, "setMode": False, "compact": False,
    },
    "dialect": {"searchTool": SEARCH, "searchArguments": {"queries": ["$QUERY"]}, "namePrefix": ""},
}
HTTP = httpx2.AsyncClient(timeout=None)
SESSIONS = {}


class Failure(Exception):
    """An error answer: its code, its message, its data."""


class Session:
    """One conversation: an agent, and the messages so far."""

    def __init__(self, params):
        api, native = params["provider"]["api"], params["provider"].get("native", False)
        if params["mode"] != "agent" or api not in (LOADS if native else APIS):
            raise Failure(1, "unsupported", {"what": f"mode {params['mode']} over {api}, native deferral: {native}"})
        self.params, self.messages, self.task = params, [], None
        self.use(params["tools"])
        if "state" in params:
            self.messages = m.ModelMessagesTypeAdapter.validate_python(params["state"])
        elif "transcript" in params:
            # The step that pydantic-ai asks for before it is prompted on a history from elsewhere.
            self.messages = m.repair_messages([to_message(row) for row in params["transcript"]])

    def use(self, tools):
        """Makes the agent, over the tools that the mode has."""
        p, mode = self.params["provider"], self.params["mode"]
        module, model, provider = APIS[p["api"]]
        provider = getattr(import_module(f"pydantic_ai.providers.{module}"), provider)
        provider = provider(base_url=p["baseUrl"], api_key=p["apiKey"], http_client=HTTP)
        model = getattr(import_module(f"pydantic_ai.models.{module}"), model)
        self.agent = Agent(
            model(p["model"], provider=provider, profile=LOADS[p["api"]] if p["native"] else LOADS_NONE),
            name="tacit",
            tools=[self.tool(tool, tool["modes"][mode] == "deferred") for tool in tools if mode in tool["modes"]],
            capabilities=[ToolSearch(max_results=self.params["maxActivated"])],
            retries=1_000_000,
        )

    def tool(self, given, deferred):
        """A tool of the harness as pydantic-ai takes it; all that it does is one call to the host."""

        async def execute(context, /, **arguments):
            call = {"sessionId": self.params["sessionId"], "method": "tool.execute", "toolName": given["name"]}
            call |= {"callId": context.tool_call_id, "arguments": arguments}
            answer = (await HTTP.post(self.params["host"]["url"], json=call)).raise_for_status().json()
            if answer["status"] != "ok":
                raise ToolFailed(answer["text"])
            return answer["text"]

        name, description, schema = given["name"], given["description"], given["inputSchema"]
        tool = Tool.from_schema(execute, name, description, schema, takes_ctx=True, sequential=True)
        tool.defer_loading = deferred
        return tool

    async def prompt(self, text):
        """One run of the agent; however it ends, the messages are those that pydantic-ai gives."""
        self.task, limits = asyncio.current_task(), UsageLimits(request_limit=None)
        with capture_run_messages() as seen:
            try:
                run = await self.agent.run(text, message_history=self.messages, usage_limits=limits)
                return {"stop": "end", "text": run.output}
            except asyncio.CancelledError:
                return {"stop": "aborted"}
            except Exception as error:
                return {"stop": "error", "error": f"{type(error).__name__}: {error}"}
            finally:
                self.task, self.messages = None, list(seen) or self.messages


def kind(name):
    """The mark by which pydantic-ai knows the calls and the results of its own search."""
    return "tool-search" if name == SEARCH else None


def to_message(row):
    """A row as a message. Whether a search's result is evidence, pydantic-ai says itself."""
    if row["type"] == "user":
        return m.ModelRequest([m.UserPromptPart(row["text"])])
    if row["type"] == "assistant":
        text = [m.TextPart(row["text"])] if row.get("text") else []
        calls = [(call["name"], call["arguments"], call["id"]) for call in row["toolCalls"]]
        return m.ModelResponse(text + [m.ToolCallPart(*call, tool_kind=kind(call[0])) for call in calls])
    if row["type"] != "toolResult":
        raise ValueError(f"pydantic-ai has no message for a row of type {row['type']}")
    name, content, marker = row["toolName"], row["text"], row.get("addedToolNames")
    if marker is not None or (name == SEARCH and row["status"] == "ok"):
        content = {"discovered_tools": [{"name": added} for added in marker or []]}
        if row["text"] != m.ToolReturnPart(name, content).model_response_str():
            content["message"] = row["text"]
    outcome = {"ok": "success", "error": "failed", "interrupted": "interrupted"}[row["status"]]
    return m.ModelRequest([m.ToolReturnPart(name, content, row["callId"], tool_kind=kind(name), outcome=outcome)])


def to_rows(message):
    """The rows of one message."""
    if isinstance(message, m.ModelResponse):
        calls = [(call.tool_call_id, call.tool_name, call.args_as_dict()) for call in message.tool_calls]
        row = {"type": "assistant", "toolCalls": [dict(zip(("id", "name", "arguments"), call)) for call in calls]}
        texts = [part.content for part in message.parts if isinstance(part, m.TextPart)]
        yield row | ({"text": "\n\n".join(texts)} if texts else {})
        return
    for part in message.parts:
        if isinstance(part, m.UserPromptPart):
            yield {"type": "user", "text": part.content}
        elif isinstance(part, m.RetryFeedbackPart):
            yield {"type": "user", "text": part.model_response()}
        elif isinstance(part, m.ToolReturnPart):
            row = {"type": "toolResult", "callId": part.tool_call_id, "toolName": part.tool_name}
            row["status"] = {"success": "ok", "interrupted": "interrupted"}.get(part.outcome, "error")
            row["text"] = part.model_response_str(wrap_if_error=False)
            if part.tool_kind and isinstance(part.content, dict):
                row["addedToolNames"] = [found["name"] for found in part.content["discovered_tools"]]
                row["text"] = part.content.get("message", row["text"])
            yield row


def known(params):
    """The session that is meant."""
    if params["sessionId"] not in SESSIONS:
        raise Failure(4, "unknown session", {"sessionId": params["sessionId"]})
    return SESSIONS[params["sessionId"]]


async def perform(method, params):
    """Does what one request asks for, and gives its result."""
    match method:
        case "initialize":
            return HELLO
        case "session/open":
            SESSIONS[params["sessionId"]] = Session(params)
        case "session/prompt":
            return await known(params).prompt(params["text"])
        case "session/save":
            return {"state": m.ModelMessagesTypeAdapter.dump_python(known(params).messages, mode="json")}
        case "session/transcript":
            return {"rows": [row for message in known(params).messages for row in to_rows(message)]}
        case "session/setTools":
            known(params).use(params["tools"])
        case "session/abort":
            if running := known(params).task:
                running.cancel()
        case "session/close":
            del SESSIONS[known(params).params["sessionId"]]
        case "shutdown":
            pass
        case _:
            raise Failure(-32601, "unknown method", {"method": method})
    return {}


async def answer(request, out):
    """Answers one request with one line."""
    reply = {"jsonrpc": "2.0", "id": request["id"]}
    try:
        reply["result"] = await perform(request["method"], request.get("params") or {})
    except Failure as failure:
        reply["error"] = dict(zip(("code", "message", "data"), failure.args))
    except (KeyError, TypeError) as error:
        reply["error"] = {"code": -32602, "message": f"bad params: {type(error).__name__}: {error}"}
    except (UserError, ValueError) as error:
        reason = f"{type(error).__name__}: {error}"
        reply["error"] = {"code": 2, "message": "refused by the runtime", "data": {"reason": reason}}
    except Exception as error:
        reply["error"] = {"code": -32603, "message": f"{type(error).__name__}: {error}"}
    out.write(json.dumps(reply).encode() + b"\n")
    out.flush()


async def main():
    """Reads requests until `shutdown` or the end of the input; `session/abort` does not wait for a prompt."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # Whatever else prints, prints to the log.
    while line := await asyncio.to_thread(sys.stdin.buffer.readline):
        request = json.loads(line)
        task = asyncio.create_task(answer(request, out))
        if request["method"] == "shutdown":
            return await task


asyncio.run(main())
