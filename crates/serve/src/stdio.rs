//! Standard input and output for the Model Context Protocol, one message a line.
//!
//! The library passes over what is no JSON without an answer, and reads lines of 16 MiB. Programs that send garbage by mistake
//! would wait for ever. So lines are looked at here first: each is bounded, and what is no JSON is answered as JSON-RPC says.

use std::io;
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader,
    DuplexStream,
};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// The longest message, in bytes. Requests name addresses and words, no pages.
const LONGEST: usize = 1 << 20;

/// Bytes between the lines and the library.
const BUFFER: usize = 64 << 10;

/// The answer to what is no JSON.
const NO_JSON: &str =
    r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: the line is no JSON"}}"#;

/// The answer to a message that is too long.
const TOO_LONG: &str = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request: the line is longer than 1 MiB"}}"#;

/// The two ends that the library reads and writes.
pub(crate) type Ends = (DuplexStream, DuplexStream);

/// Opens standard input and output. The task ends when all answers are written.
pub(crate) fn open() -> (Ends, JoinHandle<io::Result<()>>) {
    between(tokio::io::stdin(), tokio::io::stdout())
}

fn between(
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> (Ends, JoinHandle<io::Result<()>>) {
    let (to_library, library_reads) = tokio::io::duplex(BUFFER);
    let (library_writes, from_library) = tokio::io::duplex(BUFFER);
    let (refuse, refusals) = mpsc::unbounded_channel();
    tokio::spawn(pass(BufReader::new(input), to_library, refuse));
    let written = tokio::spawn(write(BufReader::new(from_library), refusals, output));
    ((library_reads, library_writes), written)
}

/// Passes on the lines that are JSON, and refuses the others.
async fn pass(
    mut input: impl AsyncBufRead + Unpin,
    mut to_library: DuplexStream,
    refuse: mpsc::UnboundedSender<&'static str>,
) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut input).take(LONGEST as u64 + 1).read_until(b'\n', &mut line).await? == 0 {
            return Ok(());
        }
        if line.len() > LONGEST {
            // Nobody listens when the program ends.
            let _ = refuse.send(TOO_LONG);
            while !line.ends_with(b"\n") {
                line.clear();
                if (&mut input).take(LONGEST as u64).read_until(b'\n', &mut line).await? == 0 {
                    return Ok(());
                }
            }
        } else if line.trim_ascii().is_empty() {
            // Programs may send empty lines between messages.
        } else if serde_json::from_slice::<serde_json::Value>(&line).is_err() {
            let _ = refuse.send(NO_JSON);
        } else {
            if !line.ends_with(b"\n") {
                line.push(b'\n');
            }
            to_library.write_all(&line).await?;
        }
    }
}

/// Writes the lines of the library, and refusals between them.
async fn write(
    mut from_library: impl AsyncBufRead + Unpin,
    mut refusals: mpsc::UnboundedReceiver<&'static str>,
    mut output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let mut line = Vec::new();
    let mut is_refusing = true;
    loop {
        tokio::select! {
            // What was read of a line stays in `line` if a refusal comes first.
            read = from_library.read_until(b'\n', &mut line) => {
                if read? == 0 {
                    break;
                }
                output.write_all(&line).await?;
                line.clear();
            }
            refusal = refusals.recv(), if is_refusing => match refusal {
                Some(refusal) => output.write_all(format!("{refusal}\n").as_bytes()).await?,
                None => is_refusing = false,
            },
        }
        output.flush().await?;
    }
    while let Some(refusal) = refusals.recv().await {
        output.write_all(format!("{refusal}\n").as_bytes()).await?;
    }
    output.flush().await
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what a library that answers every line with `yes` gets and what the other side reads.
    fn exchanged(sent: Vec<u8>) -> (String, String) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (mut client, input) = tokio::io::duplex(BUFFER);
            let (output, mut heard) = tokio::io::duplex(BUFFER);
            let ((reads, mut writes), written) = between(input, output);
            let send = tokio::spawn(async move {
                client.write_all(&sent).await.unwrap();
            });
            let mut got = String::new();
            let mut lines = BufReader::new(reads).lines();
            while let Some(line) = lines.next_line().await.unwrap() {
                got.push_str(&line);
                got.push('\n');
                writes.write_all(b"yes\n").await.unwrap();
            }
            drop(writes);
            send.await.unwrap();
            written.await.unwrap().unwrap();
            let mut answers = String::new();
            heard.read_to_string(&mut answers).await.unwrap();
            (got, answers)
        })
    }

    #[test]
    fn what_is_no_json_is_answered() {
        let deep = "[".repeat(100_000);
        for garbage in [b"garbage".as_slice(), b"{\"a\": 1", b"\xff\xfe", b"[1e400]", deep.as_bytes()] {
            let (got, answers) = exchanged([b"{}\n", garbage, b"\n\n{\"b\":1}\n"].concat());
            assert_eq!(got, "{}\n{\"b\":1}\n");
            assert_eq!(answers.lines().filter(|line| *line == "yes").count(), 2, "{answers}");
            assert_eq!(answers.lines().filter(|line| line.contains("-32700")).count(), 1, "{answers}");
        }
    }

    #[test]
    fn a_line_is_bounded() {
        let mut sent = vec![b'"'; 3 * LONGEST];
        sent.extend_from_slice(b"\n{}");
        let (got, answers) = exchanged(sent);
        assert_eq!(got, "{}\n");
        assert!(answers.contains("-32600") && answers.contains("yes"), "{answers}");
    }
}
