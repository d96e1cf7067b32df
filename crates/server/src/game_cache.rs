//! A cache of compiled games. All rooms that play a game share it; it is dropped with the last of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

use sha2::{Digest, Sha256};

use crate::api_error::ApiError;
use crate::http_types::ChoiceBody;
use crate::loaded_game::{GameSource, LoadedGame};
use crate::lock;

/// The compiled games in use.
#[derive(Debug, Default)]
pub(crate) struct GameCache {
    games: Mutex<HashMap<[u8; 32], Weak<LoadedGame>>>,
}

impl GameCache {
    /// Returns a game, compiling it if needed. Compiling blocks the thread.
    pub(crate) fn load(&self, source: &GameSource, choice: &ChoiceBody) -> Result<Arc<LoadedGame>, ApiError> {
        let key = cache_key(source, choice);
        if let Some(game) = lock(&self.games).get(&key).and_then(Weak::upgrade) {
            return Ok(game);
        }
        let game = Arc::new(LoadedGame::load(source, choice)?);
        let mut games = lock(&self.games);
        games.retain(|_, game| game.strong_count() > 0);
        games.insert(key, Arc::downgrade(&game));
        Ok(game)
    }
}

/// Returns a digest of a source and a choice.
fn cache_key(source: &GameSource, choice: &ChoiceBody) -> [u8; 32] {
    let key = serde_json::to_vec(&(source, choice)).unwrap_or_default();
    Sha256::digest(key).into()
}

#[cfg(test)]
mod tests {
    use tabiya_spec::library;

    use super::*;

    #[test]
    fn a_game_is_compiled_once_for_all_rooms() {
        let cache = GameCache::default();
        let choice = ChoiceBody::default();
        let chess = GameSource::Library("chess".into());
        let one = cache.load(&chess, &choice).unwrap();
        assert!(Arc::ptr_eq(&one, &cache.load(&chess, &choice).unwrap()));
        let text = library::find("chess").unwrap().json.to_owned();
        let other = cache.load(&GameSource::Spec(text), &choice).unwrap();
        assert!(!Arc::ptr_eq(&one, &other), "a name and a text are two sources");
        assert_eq!(one.game.hash, other.game.hash);
        drop((one, other));
        cache.load(&GameSource::Library("gardner".into()), &choice).unwrap();
        assert_eq!(lock(&cache.games).len(), 1, "an unused game is dropped");
    }
}
