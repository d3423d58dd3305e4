"""A small runtime that misbehaves in the way its first argument names."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request

WAY, COUNTER = sys.argv[1], sys.argv[2]
HELLO = {
    "protocolVersion": 1,
    "runtime": {"name": "misbehaving", "version": "1", "language": "python"},
    "capabilities": {
        "providerApis": ["openai-chat"], "nativeDeferral": [], "modes": ["agent"],
        "coreTools": "given", "concurrent": False, "activity": False, "transcript": False,
        "abort": False, "setMode": False, "setTools": False, "compact": False,
    },
}
SESSIONS = {}


def count():
    """How many prompts all processes of the run had, with this one."""
    with open(COUNTER, "a") as file:
        file.write(".")
        return file.tell()


def ask(session, text, shown):
    """One request to the provider, over HTTP."""
    session["messages"].append({"role": "user", "content": text})
    tools = [
        {
            "type": "function",
            "function": {
                "name": tool["name"],
                "description": tool["description"],
                "parameters": tool["inputSchema"],
            },
        }
        for tool in session["tools"]
        if tool["modes"].get("agent") in shown
    ]
    provider = session["provider"]
    body = {"model": provider["model"], "messages": session["messages"], "tools": tools}
    request = urllib.request.Request(
        provider["baseUrl"] + "/chat/completions",
        json.dumps(body).encode(),
        {"content-type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request) as answer:
            said = json.load(answer)["choices"][0]["message"].get("content") or ""
    except (OSError, ValueError) as error:
        return {"stop": "error", "error": str(error)}
    session["messages"].append({"role": "assistant", "content": said})
    return {"stop": "end", "text": said}


def tell(prompts):
    """What it was told in confidence, in each way in which something of it is quoted."""
    told = f"{os.environ['GIVEN']} and {os.environ['A_TOKEN']}"
    print(f"the log tells {told}", file=sys.stderr, flush=True)
    if prompts % 4 == 0:
        raise RuntimeError(f"the error tells {told}")
    if prompts % 4 == 1:
        return {"stop": "error", "error": f"the prompt tells {told}"}
    if prompts % 4 == 2:
        return {"stop": told}
    if prompts % 4 == 3:
        print(f"the line tells {told}", flush=True)
        sys.exit(1)


def prompt(session, text):
    prompts = count()
    shown = ["core"]
    if WAY == "tells":
        return tell(prompts)
    if WAY == "crashes" and prompts % 3 == 0:
        sys.exit("the third prompt is one too many")
    if WAY == "hangs":
        time.sleep(3600)
    if WAY == "swells":
        session["all"] = bytearray(5 << 30)
    if WAY == "dies" and prompts % 3 == 0:
        ask(session, text, shown)
        os.kill(os.getpid(), signal.SIGKILL)
    if WAY == "changes" and prompts % 7 == 0:
        shown.append("deferred")
    end = ask(session, text, shown)
    if WAY == "declines":
        raise RuntimeError("not today")
    if WAY == "floods":
        for _ in range(100):
            sys.stdout.write("x" * 1_000_000)
    if WAY == "babbles":
        print("I am thinking about it…", flush=True)
    return end


def perform(method, params):
    if method == "initialize":
        return HELLO
    if method == "session/open":
        messages = params.get("state") or [{"role": "system", "content": "Be brief."}]
        SESSIONS[params["sessionId"]] = dict(params, messages=list(messages))
    elif method == "session/prompt":
        return prompt(SESSIONS[params["sessionId"]], params["text"])
    elif method == "session/save":
        return {"state": SESSIONS[params["sessionId"]]["messages"]}
    elif method == "session/close":
        del SESSIONS[params["sessionId"]]
    elif method != "shutdown":
        raise NotImplementedError(method)
    return {}


if WAY in ("crashes", "hangs"):
    # A child that outlives this process, with its output in its hands.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)", sys.argv[0]])
if WAY == "sleeps":
    time.sleep(3600)
if WAY == "breeds":
    # Every process has fifty children that follow no polite signal and hold its output.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for _ in range(50):
        if os.fork() == 0:
            time.sleep(3600)
if WAY == "stays":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
for line in sys.stdin:
    request = json.loads(line)
    reply = {"jsonrpc": "2.0", "id": request["id"]}
    try:
        reply["result"] = perform(request["method"], request.get("params") or {})
    except NotImplementedError:
        reply["error"] = {"code": -32601, "message": "unknown method"}
    except RuntimeError as error:
        reply["error"] = {"code": -32000, "message": str(error)}
    print(json.dumps(reply), flush=True)
    if WAY == "reads no more" and request["method"] == "initialize":
        time.sleep(3600)
    if request["method"] == "shutdown":
        break
if WAY == "stays":
    # It was asked to end, and the input is over.
    time.sleep(3600)
