//! `tabiya serve` as its clients see it: over HTTP and sockets, through the real binary.

mod abuse;
mod api;
mod house;
mod playing;
mod restart;
