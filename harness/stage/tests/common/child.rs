//! Runtimes of a few lines of Python, each with one thing that it does wrong.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use tacit_stage::{Program, Stage, Stdio};
use tempfile::TempDir;

/// A runtime that does its work: each prompt is one request to the provider. What stands in for
/// `AT_START` and `AT_PROMPT` makes it a faulty one.
const RUNTIME: &str = r#"
import json, os, signal, subprocess, sys, time, urllib.request

def note(pid):
    with open(os.environ["PIDS"], "a") as pids:
        pids.write(f"{pid}\n")

def send(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()

def sleeper(code="import time; time.sleep(60)", **more):
    child = subprocess.Popen([sys.executable, "-c", code], **more)
    note(child.pid)

class Once:
    def __init__(self, lines):
        self.lines = lines

    def __iter__(self):
        yield self.lines.readline()
        time.sleep(60)

note(os.getpid())
sessions = {}
prompts = 0
AT_START
for line in sys.stdin:
    message = json.loads(line)
    method, params = message["method"], message.get("params", {})
    result = {}
    if method == "initialize":
        result = {"protocolVersion": 1,
                  "runtime": {"name": "small", "version": "1", "language": "Python"},
                  "capabilities": {"providerApis": ["openai-chat"], "modes": ["agent"],
                                   "coreTools": "given", "abort": CAN_ABORT}}
    elif method == "session/open":
        sessions[params["sessionId"]] = params
    elif method == "session/prompt":
        prompts += 1
        AT_PROMPT
        session = sessions[params["sessionId"]]
        body = {"model": session["provider"]["model"],
                "messages": [{"role": "user", "content": params["text"]}],
                "tools": [{"type": "function", "function": {"name": "Read"}}]}
        request = urllib.request.Request(session["provider"]["baseUrl"] + "/chat/completions",
                                         json.dumps(body).encode(),
                                         {"content-type": "application/json"})
        answer = json.load(urllib.request.urlopen(request))["choices"][0]["message"]
        call = {"sessionId": params["sessionId"], "method": "tool.audit"}
        request = urllib.request.Request(session["host"]["url"], json.dumps(call).encode(),
                                         {"content-type": "application/json"})
        urllib.request.urlopen(request).read()
        result = {"stop": "end", "text": answer["content"]}
    elif method == "session/abort":
        send({"jsonrpc": "2.0", "id": pending, "result": {"stop": "aborted"}})
    elif method == "session/save":
        result = {"state": {"pid": os.getpid()}}
    send({"jsonrpc": "2.0", "id": message["id"], "result": result})
    if method == "shutdown":
        AT_END
"#;

/// A child to be put under test, and a note of every process that it starts.
pub struct Child {
    folder: TempDir,
    program: Program,
}

impl Child {
    /// One that does its work.
    pub fn sound() -> Self {
        Self::with("pass", "pass", "sys.exit(0)")
    }

    /// One that does something else when it is asked.
    pub fn at_prompt(code: &str) -> Self {
        Self::with("pass", code, "sys.exit(0)")
    }

    pub fn at_start(code: &str) -> Self {
        Self::with(code, "pass", "sys.exit(0)")
    }

    pub fn with(at_start: &str, at_prompt: &str, at_end: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let script = RUNTIME
            .replace("AT_START", at_start)
            .replace("AT_PROMPT", at_prompt)
            .replace("AT_END", at_end)
            .replace("CAN_ABORT", if at_prompt.contains("pending") { "True" } else { "False" });
        let path = folder.path().join("runtime.py");
        fs::write(&path, script).unwrap();
        let mut program = Program::new(["python3", path.to_str().unwrap()]);
        program.env = vec![("PIDS".to_owned(), text(&folder.path().join("pids")))];
        program.step_limit = Duration::from_mins(1);
        Self { folder, program }
    }

    /// The same with other limits.
    pub fn limited(mut self, start: Duration, step: Duration) -> Self {
        self.program.start_limit = start;
        self.program.step_limit = step;
        self
    }

    pub fn stage(&self) -> Stage<Stdio> {
        Stage::new(Stdio::new(self.program.clone()), super::settings())
    }

    /// Every process that it has started, in order.
    pub fn pids(&self) -> Vec<u32> {
        let noted = fs::read_to_string(self.folder.path().join("pids")).unwrap_or_default();
        noted.lines().map(|pid| pid.parse().unwrap()).collect()
    }

    /// Waits for every process to be gone, well under the minute that each would sleep: signals
    /// take their time.
    pub fn assert_gone(&self) {
        let deadline = Instant::now() + Duration::from_secs(30);
        let pids = self.pids();
        assert!(!pids.is_empty());
        while pids.iter().any(|pid| is_alive(*pid)) {
            assert!(Instant::now() < deadline, "{pids:?} are still there");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// Whether a process is there; one that only waits to be reaped is not.
pub fn is_alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit(')').next().and_then(|rest| rest.trim().chars().next());
    state.is_some_and(|state| state != 'Z' && state != 'X')
}
