//! Environments of games with hands, counters and compulsory captures.

use std::collections::BTreeSet;
use std::sync::Arc;

use tabiya_engine::{Rules, SplitMix};
use tabiya_learn::{BatchConfig, BatchEnv, BatchSearch, Episode, Method, SearchConfig};
use tabiya_notation::State;
use tabiya_referee::{Action, Game};
use tabiya_tensor::Encoding;

const GAMES: [(&str, &str); 4] = [
    ("crazyhouse", include_str!("../../oracle/tests/games/crazyhouse.json")),
    ("minishogi", include_str!("../../oracle/tests/games/minishogi.json")),
    ("antichess", include_str!("../../oracle/tests/games/antichess.json")),
    ("three checks", include_str!("../../oracle/tests/games/threecheck.json")),
];

fn load(text: &str) -> Arc<Rules> {
    tabiya_spec::load(text.as_bytes()).game.expect("a game without errors").rules
}

fn env(text: &str, config: &BatchConfig) -> BatchEnv {
    let rules = load(text);
    let encoding = Arc::new(Encoding::for_game(&rules));
    BatchEnv::new(rules, encoding, config).expect("an environment")
}

/// Plays random moves and returns the number of drops and all observations.
fn trace(env: &mut BatchEnv, steps: usize) -> (usize, Vec<f32>) {
    let (games, players) = (env.games(), env.players());
    let (mut drops, mut all) = (0, Vec::new());
    for _ in 0..steps {
        let mut actions = vec![0; games];
        env.sample(&mut actions);
        for (game, action) in actions.iter().enumerate() {
            let Some(episode) = env.episode(game) else { continue };
            let mask: BTreeSet<u32> = env.actions(game).iter().copied().collect();
            assert_eq!(mask.len(), episode.moves().len(), "every legal move has an action");
            let view = episode.view();
            let played =
                u32::try_from(*action).ok().and_then(|it| env.encoding().move_of(env.rules(), &view, it));
            drops += usize::from(played.is_some_and(|played| played.dropped().is_some()));
        }
        let (mut rewards, mut terminated, mut truncated) =
            (vec![0.0; games * players], vec![false; games], vec![false; games]);
        env.step(&actions, &mut rewards, &mut terminated, &mut truncated).expect("legal actions");
        let mut planes = vec![0.0; games * env.encoding().len()];
        env.observe(&mut planes);
        all.extend(planes);
    }
    (drops, all)
}

#[test]
fn environments_step_through_drops_and_counters() {
    for (name, text) in GAMES {
        let settings = BatchConfig { games: 6, seed: 3, max_plies: Some(80), ..BatchConfig::default() };
        let (drops, planes) = trace(&mut env(text, &settings), 80);
        let again = trace(&mut env(text, &BatchConfig { threads: 2, ..settings }), 80);
        assert!((drops, planes) == again, "{name}");
        assert_eq!(drops > 10, load(text).mechanics().hands.is_some(), "{name}: {drops} drops");
    }
}

#[test]
fn episodes_end_like_refereed_games() {
    for (name, text) in GAMES {
        let rules = load(text);
        for seed in 0..4 {
            let mut rng = SplitMix::new(seed);
            let mut episode = Episode::new(&rules, &State::new(rules.start()), false, &mut rng);
            let mut game = Game::new(Arc::clone(&rules));
            for _ in 0..300 {
                if game.end().is_some_and(|end| end.reason == "dead_position") {
                    break;
                }
                assert_eq!(episode.end(), game.end(), "{name} {seed}");
                assert_eq!(episode.position(), &game.state().position);
                if episode.end().is_some() {
                    break;
                }
                let mut moves = episode.moves().to_vec();
                moves.sort_unstable();
                let played = moves[rng.below(moves.len())];
                episode.play(&rules, played, &mut rng);
                game.submit(&Action::Move(played)).expect("a legal move");
            }
        }
    }
}

#[test]
fn tree_search_handles_drops() {
    for (name, text) in GAMES {
        let mut env = env(text, &BatchConfig { games: 3, seed: 1, ..BatchConfig::default() });
        trace(&mut env, 30);
        let method = Method::Gumbel { considered: 8, gumbel_scale: 1.0 };
        let mut search = BatchSearch::new(&env, SearchConfig { simulations: 12, method }, 1);
        while search.pending() > 0 {
            let leaves = search.pending();
            let logits = vec![0.0; leaves * env.encoding().actions()];
            search.submit(&env, &logits, &vec![0.0; leaves * env.players()]).expect("an evaluation");
        }
        let (mut shares, mut values, mut best) = (
            vec![0.0; env.games() * env.encoding().actions()],
            vec![0.0; env.games() * env.players()],
            vec![0; env.games()],
        );
        search.results(&env, &mut shares, &mut values, &mut best);
        for (game, best) in best.iter().enumerate() {
            assert!(env.actions(game).contains(&(*best as u32)), "{name}");
        }
    }
}
