//! Messages over a pair of streams, one on a line.
//!
//! The library reads them as well, but a stranger at the other end could stop it with a message out of turn, fill its
//! memory with answers that he never reads, or wait for ever for an answer to a line that was too long. So reading is
//! done here. One request is answered, and its answer written, before the next line is looked at: answers come in the
//! order of the questions, and none is lost when the input ends.

use std::io;
use std::pin::Pin;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, Empty};
use tokio::sync::Semaphore;

use super::lines::{Line, Lines};

/// A longer message is refused. The largest game fits into it, every character escaped.
pub(super) const MOST_BYTES: usize = 2 << 20;

type Sending = Pin<Box<dyn Future<Output = io::Result<()>> + Send>>;

/// The two streams.
pub(super) struct Wire<R, W: AsyncWrite> {
    lines: Lines<R>,
    out: AsyncRwTransport<RoleServer, Empty, W>,
    /// There is one turn. Who asks takes it, and the answer gives it back.
    turn: Arc<Semaphore>,
    /// An error that is being written. Whoever waits for the next message may stop waiting at any time, and it must
    /// not be left half written.
    complaint: Option<Sending>,
}

impl<R, W> Wire<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    /// Reads from one stream and writes to the other.
    pub(super) fn new(from: R, to: W) -> Self {
        Wire {
            lines: Lines::new(from, MOST_BYTES),
            out: AsyncRwTransport::new_server(tokio::io::empty(), to),
            turn: Arc::new(Semaphore::new(1)),
            complaint: None,
        }
    }

    /// Answers a line that is no request.
    fn complain(&mut self, reason: String, id: Option<RequestId>) {
        let error = TxJsonRpcMessage::<RoleServer>::error(ErrorData::invalid_request(reason, None), id);
        self.complaint = Some(Box::pin(self.out.send(error)));
    }

    /// The request on a line. Notifications ask for nothing, answers were not asked for, and what is not JSON is
    /// nobody's message, as other servers of this protocol see it, too.
    fn request(&mut self, line: &[u8]) -> Option<RxJsonRpcMessage<RoleServer>> {
        // Some shells begin a stream with it.
        let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        match serde_json::from_slice(line) {
            Ok(message @ JsonRpcMessage::Request(_)) => return Some(message),
            Ok(_) => {}
            Err(_) => {
                let value: Value = serde_json::from_slice(line).ok()?;
                let id = value.get("id").and_then(|id| serde_json::from_value(id.clone()).ok());
                self.complain("this is not a request of JSON-RPC 2.0".to_owned(), id);
            }
        }
        None
    }
}

impl<R, W> Transport<RoleServer> for Wire<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let is_answer = matches!(message, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_));
        let (sending, turn) = (self.out.send(message), self.turn.clone());
        async move {
            let sent = sending.await;
            match &sent {
                // Nobody listens any more, so nobody needs to be asked.
                Err(_) => turn.close(),
                Ok(()) if is_answer => turn.add_permits(1),
                Ok(()) => {}
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(complaint) = &mut self.complaint {
                let sent = complaint.await;
                self.complaint = None;
                sent.ok()?;
            }
            let turn = self.turn.clone().acquire_owned().await.ok()?;
            match self.lines.next().await.ok()? {
                Line::End => return None,
                Line::TooLong => {
                    self.complain(format!("a message has at most {MOST_BYTES} bytes"), None);
                }
                Line::Whole(line) => {
                    if let Some(request) = self.request(&line) {
                        turn.forget();
                        return Some(request);
                    }
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.out.close().await
    }
}
