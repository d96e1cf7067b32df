//! Board text: FEN for any game.
//!
//! Fields: placement, turn, castling, en passant, and optionally the two counters. Runs of empty squares are decimal
//! numbers, a hole is `*`. A piece on a starting square of its own kind and owner counts as unmoved, any other as
//! moved; the castling field overrides that for the pieces that it is about.
//!
//! What these fields cannot say follows as `key=value`, and is written only where it makes a difference: `out=` the
//! players who are out, `end=` why the game is over, `moved=` and `unmoved=` squares, `flags=` as
//! `square:FLAG:turns:slot` (or `square:FLAG` for ever), and what is known about whole armies (see `fates.rs`).
//!
//! Leniencies when reading: white space around and between fields in any amount; the turn as a whole name or as the
//! number of its slot.

use tabiya_engine::{Countdown, Flag, Mark, Piece, PlayerSet, Position, Rules, Setup, Square, Termination};

use crate::fates::{self, Fates};
use crate::state::{Draft, State};
use crate::{castling, letters, passing};

/// Writes board text that reads back to the same position (as repetition sees it).
pub fn state_text(rules: &Rules, state: &State) -> String {
    let position = &state.position;
    let mut fields = four_fields(rules, position).to_vec();
    fields.extend([state.quiet.to_string(), state.round.to_string()]);
    if !position.eliminated().is_empty() {
        let out: Vec<String> =
            position.eliminated().iter().map(|player| letters::player_text(rules, player)).collect();
        fields.push(format!("out={}", out.join(",")));
    }
    if let Some(reason) = position.ended() {
        fields.push(format!("end={}", rules.reason(reason)));
    }
    let plain = fields.join(" ") + &fates::write(rules, position);
    let read = draft(rules, &plain).finish(rules);
    match read {
        Ok(read) if rules.identity(&read.position) == rules.identity(position) => plain,
        read => {
            let read = read.map(|state| state.position).ok();
            let extras = extras(rules, position, read.as_ref());
            format!("{plain}{extras}")
        }
    }
}

/// The first four fields of what counts for repetition: the en-passant square is there only if somebody can make use of
/// it. Positions that are the same for repetition have the same text.
///
/// ```
/// let game = tabiya_spec::library::load("chess").unwrap();
/// let rules = &game.rules;
/// let start = rules.start();
/// let e4 = tabiya_notation::parse_san(rules, &start, "e4").unwrap();
/// let text = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
/// assert_eq!(tabiya_notation::simplified_fen(rules, &rules.play_unchecked(&start, e4)), text);
/// ```
pub fn simplified_fen(rules: &Rules, position: &Position) -> String {
    let identity = rules.identity(position);
    four_fields(rules, identity.position()).join(" ")
}

fn four_fields(rules: &Rules, position: &Position) -> [String; 4] {
    [
        placement(rules, position),
        letters::turn_text(rules, position.slot()),
        castling::write(rules, position),
        passing::write(rules, position),
    ]
}

fn placement(rules: &Rules, position: &Position) -> String {
    let board = rules.board();
    let ranks = (0..i32::from(board.ranks())).rev().map(|y| {
        let mut text = String::new();
        let mut empty = 0;
        for x in 0..i32::from(board.files()) {
            let square = board.square(x, y);
            let piece = square.and_then(|square| position.piece(square));
            if square.is_some() && piece.is_none() {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            match piece {
                Some(piece) => text.push_str(&letters::piece_text(rules, piece.player, piece.kind)),
                None => text.push('*'),
            }
            if let Some(guest) = square.and_then(|square| position.guest(square)) {
                text.push('+');
                text.push_str(&letters::piece_text(rules, guest.player, guest.kind));
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        text
    });
    ranks.collect::<Vec<_>>().join("/")
}

/// What the plain fields get wrong.
fn extras(rules: &Rules, position: &Position, plain: Option<&Position>) -> String {
    let board = rules.board();
    let guessed = |square: Square| plain.and_then(|plain| plain.piece(square)).map(|piece| piece.unmoved);
    let mut extras = String::new();
    for (key, unmoved) in [("moved", false), ("unmoved", true)] {
        let squares: Vec<String> = position
            .pieces()
            .filter(|(square, piece)| piece.unmoved == unmoved && guessed(*square) != Some(unmoved))
            .map(|(square, _)| board.name(square))
            .collect();
        if !squares.is_empty() {
            extras.push_str(&format!(" {key}={}", squares.join(",")));
        }
    }
    let marks: Vec<String> = position.marks().iter().map(|mark| mark_text(rules, mark)).collect();
    if plain.is_none_or(|plain| plain.marks() != position.marks()) {
        extras.push_str(&format!(" flags={}", marks.join(",")));
    }
    extras
}

fn mark_text(rules: &Rules, mark: &Mark) -> String {
    let name = format!("{}:{}", rules.board().name(mark.square), escape(rules.flag(mark.flag)));
    match mark.countdown {
        None => name,
        Some(Countdown { slot, remaining }) => format!("{name}:{remaining}:{slot}"),
    }
}

/// A flag's name with everything that board text uses for itself as `%XX`.
fn escape(name: &str) -> String {
    name.bytes()
        .map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

/// Reads board text, with every reason against it.
pub(crate) fn draft(rules: &Rules, text: &str) -> Draft {
    let mut reasons = Vec::new();
    let words: Vec<&str> = text.split_whitespace().collect();
    let plain = words.iter().position(|word| word.contains('=')).unwrap_or(words.len());
    let (fields, extras) = words.split_at(plain);
    if fields.len() != 4 && fields.len() != 6 {
        return Draft::unreadable(format!(
            "board text has four or six fields (placement, turn, castling, en passant, two counters), not {}",
            fields.len()
        ));
    }
    let (pieces, guests) = parse_placement(rules, fields[0], &mut reasons);
    let mut setup = Setup { pieces, guests, ..Setup::default() };
    let knows_board = reasons.is_empty();
    let placed = setup.pieces.clone();
    let piece = |square| placed.iter().find(|(other, _)| *other == square).map(|(_, piece)| *piece);
    let slot = letters::parse_turn(rules, fields[1]);
    let granted = castling::parse(rules, fields[2], piece, &mut reasons);
    for right in castling::rights(rules) {
        override_unmoved(
            &mut setup,
            right.leader,
            granted.iter().any(|it| it.leader == right.leader),
            &right,
        );
        override_unmoved(
            &mut setup,
            right.partner,
            granted.iter().any(|it| it.partner == right.partner),
            &right,
        );
    }
    let before_extras = reasons.len();
    let extras = Extras::parse(rules, extras, &mut reasons);
    let knows_turn = slot.is_ok() && reasons.len() == before_extras;
    match slot {
        Ok(slot) => {
            setup.slot = slot;
            if fields[3] != "-" && extras.flags.is_none() {
                setup.marks.extend(passing::parse(
                    rules,
                    fields[3],
                    (slot, extras.out),
                    &setup.pieces,
                    &mut reasons,
                ));
            }
        }
        Err(reason) => reasons.push(reason),
    }
    let mut counter = |index: usize, name: &str, default: u32| match fields.get(index) {
        None => default,
        Some(field) => field.parse().unwrap_or_else(|_| {
            reasons.push(format!("the {name} `{}` is not a number below 2^32", letters::clip(field)));
            default
        }),
    };
    let (quiet, round) = (counter(4, "count of quiet turns", 0), counter(5, "number of the round", 1));
    extras.apply(&mut setup);
    Draft { setup, quiet, round, reasons, knows_board, knows_turn }
}

/// The castling field decides for the pieces of a right, if they stand where it wants them.
fn override_unmoved(setup: &mut Setup, square: Square, unmoved: bool, right: &castling::Right) {
    let piece =
        setup.pieces.iter_mut().find(|(other, piece)| *other == square && piece.player == right.player);
    if let Some((_, piece)) = piece {
        piece.unmoved &= unmoved;
    }
}

type Placed = Vec<(Square, Piece)>;

/// Pieces, and guests.
fn parse_placement(rules: &Rules, text: &str, reasons: &mut Vec<String>) -> (Placed, Placed) {
    let board = rules.board();
    let pieces = letters::pieces(rules);
    let start = rules.blueprint().start();
    let (mut placed, mut guests) = (Vec::new(), Vec::new());
    let rows: Vec<&str> = text.split('/').collect();
    let ranks = usize::from(board.ranks());
    if rows.len() != ranks {
        reasons.push(format!("the placement has {} ranks, the board has {ranks}", rows.len()));
        return (placed, guests);
    }
    for (index, row) in rows.iter().enumerate() {
        let y = (ranks - 1 - index) as i32;
        let mut x: usize = 0;
        for token in tokens(row) {
            let files = usize::from(board.files());
            if let Ok(run) = token.parse::<usize>() {
                if run == 0 || token.starts_with('0') {
                    reasons.push(format!("rank {}: `{token}` is not a count of empty squares", y + 1));
                }
                let hole =
                    (x..x.saturating_add(run).min(files)).find(|x| board.square(*x as i32, y).is_none());
                if let Some(hole) = hole {
                    let file = tabiya_engine::FileName(hole as u32);
                    reasons.push(format!("rank {}: {file}{} is a hole and is written `*`", y + 1, y + 1));
                }
                x = x.saturating_add(run);
                continue;
            }
            if let Some(guest) = token.strip_prefix('+') {
                // It is on the square that was read last.
                let square = x.checked_sub(1).and_then(|x| board.square(x as i32, y));
                match (square, pieces.get(guest)) {
                    (Some(square), Some((player, kind))) => {
                        let unmoved = start
                            .iter()
                            .any(|it| (it.square, it.player, it.kind) == (square, *player, *kind));
                        guests.push((square, Piece { player: *player, kind: *kind, unmoved }));
                    }
                    _ => reasons.push(format!("rank {}: `{}` is no guest", y + 1, letters::clip(token))),
                }
                continue;
            }
            let square = board.square(x as i32, y);
            match (token, square, pieces.get(token)) {
                ("*", None, _) if x < files => {}
                ("*", Some(square), _) => reasons.push(format!("{} is not a hole", board.name(square))),
                (_, Some(square), Some((player, kind))) => {
                    let unmoved =
                        start.iter().any(|it| (it.square, it.player, it.kind) == (square, *player, *kind));
                    placed.push((square, Piece { player: *player, kind: *kind, unmoved }));
                }
                (_, _, None) => {
                    reasons.push(format!(
                        "rank {}: `{}` is no piece of this game",
                        y + 1,
                        letters::clip(token)
                    ));
                }
                (_, None, Some(_)) if x < files => {
                    reasons.push(format!("rank {}: `{token}` stands on a hole", y + 1));
                }
                _ => {}
            }
            x += 1;
        }
        let files = usize::from(board.files());
        if x != files {
            reasons.push(format!("rank {} has {x} squares, the board has {files}", y + 1));
        }
    }
    (placed, guests)
}

/// Numbers, holes, and letters with their dots, and a plus before a guest.
fn tokens(row: &str) -> impl Iterator<Item = &str> {
    let mut rest = row;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = if first.is_ascii_digit() {
            rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())
        } else {
            let plus = usize::from(first == '+');
            let dots = rest[plus..].len() - rest[plus..].trim_start_matches('.').len() + plus;
            dots + rest[dots..].chars().next().map_or(0, char::len_utf8)
        };
        let (token, after) = rest.split_at(end);
        rest = after;
        Some(token)
    })
}

/// What stands behind the fields.
#[derive(Default)]
struct Extras {
    out: PlayerSet,
    end: Option<Termination>,
    moved: Vec<(Square, bool)>,
    flags: Option<Vec<Mark>>,
    fates: Fates,
}

impl Extras {
    fn parse(rules: &Rules, words: &[&str], reasons: &mut Vec<String>) -> Self {
        let mut extras = Extras::default();
        let mut keys: Vec<&str> = Vec::new();
        for word in words {
            let Some((key, value)) = word.split_once('=') else {
                reasons
                    .push(format!("`{}` stands behind the fields and is no key=value", letters::clip(word)));
                continue;
            };
            if keys.contains(&key) {
                reasons.push(format!("{}= stands twice: write its values with commas", letters::clip(key)));
                continue;
            }
            keys.push(key);
            let mut complain =
                |what: &str, text: &str| reasons.push(format!("{key}=: `{}` is {what}", letters::clip(text)));
            let items = value.split(',').filter(|item| !item.is_empty());
            match key {
                "out" => {
                    for item in items {
                        match letters::parse_player(rules, item) {
                            Some(player) => extras.out = extras.out.with(player),
                            None => complain("no player of this game", item),
                        }
                    }
                }
                "end" => {
                    extras.end = rules.termination(value);
                    if extras.end.is_none() {
                        complain("no reason for an end", value);
                    }
                }
                "moved" | "unmoved" => {
                    for item in items {
                        match rules.board().parse(item) {
                            Some(square) => extras.moved.push((square, key == "unmoved")),
                            None => complain("no square of this board", item),
                        }
                    }
                }
                "flags" => {
                    let flags = extras.flags.get_or_insert_default();
                    for item in items {
                        match parse_mark(rules, item) {
                            Some(mark) => flags.push(mark),
                            None => complain("no flag of this game in the form square:FLAG:turns:slot", item),
                        }
                    }
                }
                _ => match extras.fates.read(rules, key, value) {
                    Some(wrong) => wrong.iter().for_each(|(what, text)| complain(what, text)),
                    None => reasons.push(format!("`{}` is not a key of board text", letters::clip(key))),
                },
            }
        }
        if keys.contains(&"die") && keys.contains(&"throws") {
            reasons.push(
                "die= and throws= exclude each other: a die shows a face or is still to be thrown".into(),
            );
        }
        extras
    }

    fn apply(self, setup: &mut Setup) {
        setup.eliminated = self.out;
        setup.ended = self.end;
        for (square, unmoved) in self.moved {
            if let Some((_, piece)) = setup.pieces.iter_mut().find(|(other, _)| *other == square) {
                piece.unmoved = unmoved;
            }
        }
        if let Some(flags) = self.flags {
            setup.marks = flags;
        }
        self.fates.apply(setup);
    }
}

fn parse_mark(rules: &Rules, text: &str) -> Option<Mark> {
    let parts: Vec<&str> = text.split(':').collect();
    let (square, name, countdown) = match parts.as_slice() {
        [square, name] => (square, name, None),
        [square, name, remaining, slot] => {
            (square, name, Some(Countdown { slot: slot.parse().ok()?, remaining: remaining.parse().ok()? }))
        }
        _ => return None,
    };
    let flag = rules.blueprint().flags().iter().position(|flag| escape(flag) == **name)?;
    Some(Mark { square: rules.board().parse(square)?, flag: Flag(flag as u8), countdown })
}
