//! Tests of the net: identical numbers on all instruction sets, after every move, and for every damaged file.

use tabiya_engine::{Player, Position, Rules, SplitMix};

use super::kernels::Kernels;
use super::{Accumulators, Features, Net, NetError, NetWeights};

fn game(name: &str) -> tabiya_spec::Game {
    tabiya_spec::library::load(name).expect("a game of the library")
}

/// Creates a net with random weights.
fn random_net(rules: &Rules, hidden: usize, seed: u64) -> Net {
    let features = Features::of(rules).expect("a game with two sides");
    let mut rng = SplitMix::new(seed);
    let mut number = |range: i32| rng.below(2 * range as usize + 1) as i32 - range;
    let weights = NetWeights {
        hidden,
        most_pieces: rules.start().piece_count() as u16,
        input: (0..features.inputs() * hidden).map(|_| number(120) as i16).collect(),
        input_bias: (0..hidden).map(|_| number(60) as i16).collect(),
        // Small enough that no sum can overflow.
        output: (0..2 * Net::BUCKETS * hidden)
            .map(|_| number((16_000 / hidden as i32).min(127)) as i8)
            .collect(),
        output_bias: (0..Net::BUCKETS).map(|_| number(9000)).collect(),
    };
    Net::new(rules, weights, "random").expect("a net that fits")
}

/// Plays random moves and calls `check` with each position and its distance from the start.
fn play_randomly(rules: &Rules, seed: u64, plies: usize, mut check: impl FnMut(&Position, usize)) {
    let mut rng = SplitMix::new(seed);
    let mut position = rules.start();
    for ply in 0..plies {
        check(&position, ply);
        let moves = rules.legal_moves(&position);
        if moves.is_empty() {
            return;
        }
        position = rules.play_unchecked(&position, moves[rng.below(moves.len())]);
    }
}

/// The number of games of the large runs, from the environment.
fn number_of_games(default: u64) -> u64 {
    std::env::var("TABIYA_NET_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(default)
}

const GAMES: [&str; 20] = [
    "chess",
    "capablanca",
    "gardner",
    "losalamos",
    "knightmate",
    "crazyhouse",
    "xiangqi",
    "shogi",
    "minishogi",
    "seirawan",
    "breakthrough",
    "atomic",
    "threecheck",
    "fourplayer-teams",
    "enochian",
    "makruk",
    "glinski",
    "raumschach",
    "antichess",
    "hasami",
];

#[test]
fn updated_sums_equal_computed_ones_after_every_move() {
    let games = number_of_games(1);
    for name in GAMES {
        let game = game(name);
        let rules = &game.rules;
        let net = random_net(rules, 32, 1);
        let players: Vec<Player> = rules.order().to_vec();
        for seed in 0..games.div_ceil(GAMES.len() as u64) {
            let mut updated = Accumulators::default();
            play_randomly(rules, seed, 150, |position, ply| {
                // Some positions are left out, and distances from the root repeat, as in a search.
                if ply % 7 == 3 {
                    return;
                }
                for player in [rules.mover(position), players[ply % players.len()]] {
                    let fresh = Accumulators::default().evaluate(&net, position, 0, player);
                    assert_eq!(updated.evaluate(&net, position, ply % 10, player), fresh, "{name} {ply}");
                }
            });
        }
    }
}

#[test]
fn all_instruction_sets_return_the_same_numbers() {
    for (name, hidden) in [("chess", 128), ("shogi", 32), ("gardner", 512)] {
        let game = game(name);
        let net = random_net(&game.rules, hidden, 2);
        let mut portable = Accumulators::with(Kernels::PORTABLE);
        let mut others: Vec<Accumulators> = Kernels::all().into_iter().map(Accumulators::with).collect();
        play_randomly(&game.rules, 3, 100, |position, ply| {
            let mover = game.rules.mover(position);
            let expected = portable.evaluate(&net, position, ply, mover);
            for other in &mut others {
                assert_eq!(other.evaluate(&net, position, ply, mover), expected, "{name} {other:?}");
            }
        });
    }
}

#[test]
fn mirrored_players_see_the_same_inputs() {
    for name in ["chess", "xiangqi", "shogi", "gardner"] {
        let game = game(name);
        let rules = &game.rules;
        let features = Features::of(rules).expect("two sides");
        let mut facts = Vec::new();
        features.write_facts(&rules.start(), &mut facts);
        let seen = |player: u8| {
            let inputs = features.inputs_of(Player(player));
            let mut seen: Vec<u16> = (0..64 * facts.len())
                .filter(|fact| facts[fact / 64] >> (fact % 64) & 1 == 1)
                .map(|fact| inputs[fact])
                .collect();
            seen.sort_unstable();
            seen
        };
        // Kings and queens of chess face each other, so that the rotated view differs by these.
        let expected = seen(0).into_iter().filter(|input| seen(1).contains(input)).count();
        assert!(expected + 4 >= seen(0).len(), "{name}");
        assert_eq!(seen(0).len(), rules.start().piece_count() as usize, "{name}");
    }
}

#[test]
fn a_file_holds_the_whole_net() {
    let chess = game("chess");
    let net = random_net(&chess.rules, 64, 4);
    let read = Net::read(&chess.rules, &net.to_bytes()).expect("the same net");
    assert_eq!(read.weights(), net.weights());
    assert_eq!(read.provenance(), "random");
}

#[test]
fn a_net_of_another_game_is_refused_with_both_hashes() {
    let (chess, gardner) = (game("chess"), game("gardner"));
    let bytes = random_net(&chess.rules, 32, 5).to_bytes();
    let error = Net::read(&gardner.rules, &bytes).expect_err("another game").to_string();
    assert!(error.contains(&chess.hash.to_string()) && error.contains(&gardner.hash.to_string()), "{error}");
}

#[test]
fn damaged_files_are_refused() {
    let gardner = game("gardner");
    let rules = &gardner.rules;
    let bytes = random_net(rules, 32, 6).to_bytes();
    for length in (0..200).chain((200..bytes.len()).step_by(997)) {
        assert!(Net::read(rules, &bytes[..length]).is_err(), "{length} bytes");
    }
    let mut rng = SplitMix::new(7);
    for number in 0..220 {
        let index = if number < 120 { number } else { rng.below(bytes.len()) };
        let mut damaged = bytes.clone();
        damaged[index] ^= 1 << rng.below(8);
        assert!(Net::read(rules, &damaged).is_err(), "byte {index}");
    }
    assert!(Net::read(rules, &[bytes.clone(), vec![0]].concat()).is_err());
    assert_eq!(Net::read(rules, b"{}").expect_err("text"), NetError::NotANet);
}

#[test]
fn weights_that_could_overflow_are_refused() {
    let chess = game("chess");
    let mut weights = random_net(&chess.rules, 512, 8).weights().clone();
    weights.output.fill(127);
    let error = Net::new(&chess.rules, weights.clone(), "").expect_err("too large");
    assert!(matches!(error, NetError::Invalid(_)), "{error}");
    weights.output.fill(1);
    weights.input.pop();
    assert!(Net::new(&chess.rules, weights, "").is_err());
}

#[test]
fn games_with_more_than_two_sides_have_no_net() {
    assert!(matches!(Features::of(&game("fourplayer").rules), Err(NetError::Unsupported(_))));
}

#[test]
fn bundled_nets_fit_their_games() {
    for name in super::bundled::NAMES {
        let game = game(name);
        let net =
            Net::bundled(&game.rules).unwrap_or_else(|| panic!("{name} has a net that does not fit it"));
        assert!(net.belongs_to(&game.rules) && !net.provenance().is_empty(), "{name}");
        assert!(net.to_bytes().len() <= 1_200_000, "{name}");
    }
}
