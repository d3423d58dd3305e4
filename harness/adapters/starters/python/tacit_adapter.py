"""my-agent behind the adapter protocol of tacit, version 1: a start to replace piece by piece.

What stands here is a runtime of its own, as plain as there can be: it sends every tool with every
request. It works, and it does not keep the contract. Put your runtime in the place of `Session`; the
rest of the file is the protocol. Print for yourself on standard error only.
"""

import json
import sys
import urllib.request

HELLO = {
    "protocolVersion": 1,
    "runtime": {"name": "my-agent", "version": "0.1.0", "language": "python"},
    # What your runtime does not have is not applicable, which is no shame: claim only what is there.
    "capabilities": {"providerApis": ["openai-chat"], "modes": ["agent"], "coreTools": "given"},
}
STEPS = 50  # requests in one prompt, so that a runtime gone astray ends


def post(url, body, key=None):
    headers = {"content-type": "application/json", "authorization": f"Bearer {key}"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    # Provider and host are on this machine: no proxy stands in between.
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as answer:
        return json.load(answer)


class Session:
    """One conversation. This is the part to replace: open your runtime here, and prompt it."""

    def __init__(self, opening):
        self.id, self.provider, self.host = opening["sessionId"], opening["provider"], opening["host"]
        self.tools = {tool["name"]: tool for tool in opening["tools"]}
        self.messages = opening.get("state") or [{"role": "system", "content": "You are my-agent."}]

    def prompt(self, text):
        self.messages.append({"role": "user", "content": text})
        for _ in range(STEPS):
            message = self.ask()
            self.messages.append(message)
            if not message.get("tool_calls"):
                return message["content"]
            for call in message["tool_calls"]:
                self.messages.append({"role": "tool", "tool_call_id": call["id"], "content": self.run(call)})
        raise RuntimeError(f"no end after {STEPS} requests")

    def ask(self):
        # The contract would have the core tools and a search tool here, a catalog in the system
        # message, and further tools only once a search has activated them.
        tools = [
            {"type": "function", "function": {
                "name": tool["name"], "description": tool["description"], "parameters": tool["inputSchema"],
            }}
            for tool in self.tools.values()
        ]
        body = {"model": self.provider["model"], "messages": self.messages, "tools": tools}
        answer = post(self.provider["baseUrl"] + "/chat/completions", body, self.provider["apiKey"])
        return answer["choices"][0]["message"]

    def run(self, call):
        name = call["function"]["name"]
        if name not in self.tools:
            return f"error: there is no tool {name}"
        answer = post(self.host["url"], {
            "sessionId": self.id, "method": "tool.execute", "callId": call["id"], "toolName": name,
            "arguments": json.loads(call["function"]["arguments"]),
        })
        return answer["text"] if answer["status"] == "ok" else f"error: {answer['text']}"


def handle(sessions, method, params):
    if method == "initialize":
        return HELLO
    if method == "session/open":
        sessions[params["sessionId"]] = Session(params)
        return {}
    if method == "session/prompt":
        try:
            return {"stop": "end", "text": sessions[params["sessionId"]].prompt(params["text"])}
        except Exception as error:  # whatever ends a prompt is told in the runtime's own words
            return {"stop": "error", "error": f"{type(error).__name__}: {error}"}
    if method == "session/save":
        return {"state": sessions[params["sessionId"]].messages}  # all that a restart needs
    if method == "session/close":
        sessions.pop(params["sessionId"], None)
        return {}
    if method == "shutdown":
        return {}
    raise NotImplementedError(method)


def main():
    protocol, sys.stdout = sys.stdout, sys.stderr  # a stray print is no message
    sessions = {}
    for line in sys.stdin:
        request = json.loads(line)
        reply = {"jsonrpc": "2.0", "id": request["id"]}
        try:
            reply["result"] = handle(sessions, request["method"], request.get("params") or {})
        except NotImplementedError as missing:
            reply["error"] = {"code": -32601, "message": f"unknown method {missing}"}
        print(json.dumps(reply), file=protocol, flush=True)
        if request["method"] == "shutdown":
            break


main()
