//! Many games at once, for learning: [`Env`] plays them, [`Forest`] searches in all of them together and asks one judge about
//! all leaves of a round. No rule of any game is here: engine and referee are asked.
//!
//! ```
//! use std::sync::Arc;
//! use tabiya_learn::{Env, Settings};
//! use tabiya_tensor::Encoding;
//!
//! let rules = tabiya_spec::library::load("chess").unwrap().rules;
//! let encoding = Arc::new(Encoding::usual(&rules));
//! let mut env = Env::new(rules, encoding, &Settings { games: 8, ..Settings::default() }).unwrap();
//! let mut actions = vec![0; 8];
//! let (mut rewards, mut ended, mut cut) = (vec![0.0; 16], vec![false; 8], vec![false; 8]);
//! for _ in 0..100 {
//!     env.sample(&mut actions);
//!     env.step(&actions, &mut rewards, &mut ended, &mut cut).unwrap();
//! }
//! ```

mod course;
mod crew;
mod env;
mod forest;
mod luck;
mod table;

pub use course::Course;
pub use env::{BadAction, Env, Settings, TooMany, Why};
pub use forest::{BadAnswer, Forest, Method, Plan};
