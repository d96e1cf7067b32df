//! The nets that come with the program, found by the content hash of their game. `docs/players.md` says how each was made.

use std::sync::{Arc, OnceLock};

use tabiya_engine::Rules;

use super::{Net, file};

/// A bundled net, read when it is first needed.
struct BundledNet {
    bytes: &'static [u8],
    net: OnceLock<Option<Arc<Net>>>,
}

/// Embeds the nets with these names from the folder `nets`.
macro_rules! bundle {
    ($($name:literal),* $(,)?) => {
        pub(super) const NAMES: &[&str] = &[$($name),*];

        static NETS: [BundledNet; NAMES.len()] = [$(
            BundledNet { bytes: include_bytes!(concat!("../../nets/", $name, ".net")), net: OnceLock::new() },
        )*];
    };
}

bundle! { "gardner" }

/// Returns the net of a game. All players share it.
pub(super) fn find(rules: &Rules) -> Option<Arc<Net>> {
    let hash = rules.content_hash()?;
    let found = NETS.iter().find(|bundled| file::game_of(bundled.bytes) == Some(hash))?;
    found.net.get_or_init(|| Net::read(rules, found.bytes).ok().map(Arc::new)).clone()
}
