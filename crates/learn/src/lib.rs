//! Many games at once, for learning. [`BatchEnv`] plays them; [`BatchSearch`] searches all of them together and evaluates
//! one leaf of every tree in a single batch. The engine and the referee supply all rules.
//!
//! ```
//! use std::sync::Arc;
//! use tabiya_learn::{BatchConfig, BatchEnv};
//! use tabiya_tensor::Encoding;
//!
//! let rules = tabiya_spec::library::load("chess").unwrap().rules;
//! let encoding = Arc::new(Encoding::for_game(&rules));
//! let mut env = BatchEnv::new(rules, encoding, &BatchConfig { games: 8, ..BatchConfig::default() }).unwrap();
//! let mut actions = vec![0; 8];
//! let (mut rewards, mut terminated, mut truncated) = (vec![0.0; 16], vec![false; 8], vec![false; 8]);
//! for _ in 0..100 {
//!     env.sample(&mut actions);
//!     env.step(&actions, &mut rewards, &mut terminated, &mut truncated).unwrap();
//! }
//! ```

mod batch_env;
mod batch_search;
mod episode;
mod sampling;
mod slot;
mod worker_pool;

pub use batch_env::{ActionError, ActionErrorKind, BatchConfig, BatchEnv, BatchSizeError};
pub use batch_search::{BatchSearch, EvaluationError, Method, SearchConfig};
pub use episode::Episode;
