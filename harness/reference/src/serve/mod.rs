//! The reference behind the stdio protocol: JSON-RPC 2.0, one value a line.

mod answer;
pub(crate) mod lines;

use std::io;
use std::rc::Rc;

use serde::Deserialize;
use serde_json::{Value, json};
use tacit_contract::Revision;
use tacit_contract::protocol::{ErrorAnswer, LINE_LIMIT, code, method};
use tacit_contract::runtime::Runtime;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::LocalSet;

use crate::switches::Switches;
use crate::{ReferenceOptions, ReferenceRuntime};
use answer::answer;
use lines::{Line, Lines};

/// Speaks the protocol for a reference runtime until it is shut down or the input ends.
///
/// # Errors
///
/// The input cannot be read or the output cannot be written.
pub async fn serve(
    revision: Revision,
    switches: Switches,
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let runtime = ReferenceRuntime::new(ReferenceOptions { revision, switches });
    serve_runtime(Rc::new(runtime), input, output).await
}

/// Speaks the protocol for any runtime of the trait, with its ports over HTTP.
///
/// # Errors
///
/// The input cannot be read or the output cannot be written.
pub async fn serve_runtime<R: Runtime + 'static>(
    runtime: Rc<R>,
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let (answers, outgoing) = unbounded_channel();
    let here = LocalSet::new();
    let reading = here.run_until(async {
        let read = read(&runtime, input, &answers).await;
        // The last word: what is still pending has nobody left to wait for it.
        let _ = answers.send(None);
        read
    });
    let (read, written) = tokio::join!(reading, write(outgoing, output));
    read.and(written)
}

/// A line to write, or the end.
type Outgoing = Option<String>;

async fn write(
    mut outgoing: UnboundedReceiver<Outgoing>,
    mut output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    while let Some(Some(mut line)) = outgoing.recv().await {
        line.push('\n');
        output.write_all(line.as_bytes()).await?;
        output.flush().await?;
    }
    Ok(())
}

#[derive(Deserialize)]
struct Incoming {
    id: Option<Value>,
    method: String,
    #[serde(default)]
    params: Value,
}

async fn read<R: Runtime + 'static>(
    runtime: &Rc<R>,
    input: impl AsyncRead + Unpin,
    answers: &UnboundedSender<Outgoing>,
) -> io::Result<()> {
    let mut lines = Lines::new(BufReader::new(input), LINE_LIMIT);
    loop {
        let incoming = match lines.next().await? {
            Line::End => return Ok(()),
            Line::TooLong => Err(error(code::INVALID_REQUEST, "the line is over the limit")),
            Line::Whole(line) if line.trim_ascii().is_empty() => continue,
            Line::Whole(line) => understand(line),
        };
        let Incoming { id, method, params } = match incoming {
            Ok(incoming) => incoming,
            Err(problem) => {
                send(answers, &Value::Null, Err(problem));
                continue;
            }
        };
        // What has no id wants no answer, and every method of the protocol has one.
        let Some(id) = id else { continue };
        if method == method::SHUTDOWN {
            send(answers, &id, Ok(json!({})));
            return Ok(());
        }
        let runtime = Rc::clone(runtime);
        let answers = answers.clone();
        let work = async move {
            let result = answer(&*runtime, &method, params).await;
            send(&answers, &id, result);
        };
        // A task of its own for each: an abort must get past the prompt that it is for. Tasks
        // start in order, and only a prompt and a compaction wait for anyone.
        tokio::task::spawn_local(work);
        tokio::task::yield_now().await;
    }
}

fn understand(line: &[u8]) -> Result<Incoming, ErrorAnswer> {
    let value: Value = serde_json::from_slice(line)
        .map_err(|problem| error(code::PARSE, &format!("the line is no JSON: {problem}")))?;
    Incoming::deserialize(value)
        .map_err(|problem| error(code::INVALID_REQUEST, &format!("this is no request: {problem}")))
}

fn send(answers: &UnboundedSender<Outgoing>, id: &Value, result: Result<Value, ErrorAnswer>) {
    let line = match result {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
    };
    // Nobody listens any more once the output has failed; the reading side then ends as well.
    let _ = answers.send(Some(line.to_string()));
}

fn error(code: i64, message: &str) -> ErrorAnswer {
    ErrorAnswer { code, message: message.to_owned(), data: None }
}
