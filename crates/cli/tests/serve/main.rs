//! Tests of `tabiya serve` through the real binary, over HTTP and sockets.

mod abuse;
mod api;
mod dice;
mod operator;
mod people;
mod playing;
mod restart;
mod test_server;
mod workshop;
