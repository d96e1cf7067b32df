//! The agent protocol from outside: states, answers and verdicts.

mod endings;
mod general;
mod hostile;
mod legality;
mod offers;
mod outputs;
mod protocol_doc;
mod seed;
mod states;
mod support;
mod writing;
