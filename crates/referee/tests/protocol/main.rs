//! The agent protocol from outside: what is sent, what is answered, and what is said to it.

mod endings;
mod general;
mod hostile;
mod legality;
mod offers;
mod outputs;
mod papers;
mod seed;
mod states;
mod support;
mod writing;
