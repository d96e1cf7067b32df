//! Runs the examples in the rulebooks: every block headed `tabiya` in `games/*.md` and `docs/enochian.md`, line by line.
//! The heading may choose a variant: `rules=NAME array="NAME" option=NAME=VALUE`.

use tabiya_engine::{Identity, Player, PlayerSet, Position, Rules, Trigger};
use tabiya_notation::{MoveError, parse_state, parse_uci, uci};
use tabiya_spec::{Choices, library};

#[test]
fn examples_in_short_rulebooks_hold() {
    let mut failures = Vec::new();
    for entry in library::games() {
        let lines = run(entry.json, &format!("games/{}.md", entry.name), entry.rulebook, &mut failures);
        if lines < 5 {
            failures.push(format!("games/{}.md has only {lines} lines of examples", entry.name));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn examples_in_the_enochian_rulebook_hold() {
    let mut failures = Vec::new();
    let game = library::find("enochian").expect("a library game").json;
    let text = include_str!("../../../docs/enochian.md");
    let lines = run(game, "docs/enochian.md", text, &mut failures);
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    assert!(lines > 100, "{lines} lines of examples");
}

/// Runs the blocks of a rulebook and returns their number of lines.
fn run(game: &str, name: &str, text: &str, failures: &mut Vec<String>) -> usize {
    let mut lines = 0;
    for Block { first, choices, text } in blocks(text) {
        let loaded = tabiya_spec::load_with(game.as_bytes(), &choices);
        let Some(game) = loaded.game else {
            failures.push(format!("{name}:{}: {:?}", first - 1, loaded.diagnostics));
            continue;
        };
        let mut board = Board { rules: &game.rules, position: game.rules.start(), earlier: Vec::new() };
        for (offset, line) in text.lines().enumerate() {
            lines += 1;
            if let Err(reason) = board.run(line) {
                failures.push(format!("{name}:{}: {line}: {reason}", first + offset));
            }
        }
    }
    lines
}

/// A fenced block headed `tabiya`.
struct Block {
    /// The line number of its first line.
    first: usize,
    choices: Choices,
    text: String,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut inside = false;
    for (index, line) in text.lines().enumerate() {
        if let Some(info) = line.strip_prefix("```") {
            inside = info == "tabiya" || info.starts_with("tabiya ");
            if inside {
                blocks.push(Block { first: index + 2, choices: choices(&info[6..]), text: String::new() });
            }
        } else if inside && let Some(block) = blocks.last_mut() {
            block.text.push_str(line);
            block.text.push('\n');
        }
    }
    blocks
}

/// Parses the choices of a block. Words with spaces are quoted.
fn choices(info: &str) -> Choices {
    let mut choices = Choices::default();
    let mut quoted = false;
    let is_between = |c: char| {
        quoted ^= c == '"';
        c == ' ' && !quoted
    };
    for word in info.split(is_between).filter(|word| !word.is_empty()) {
        let word = word.replace('"', "");
        match word.split_once('=') {
            Some(("rules", name)) => choices.preset = Some(name.into()),
            Some(("array", name)) => choices.layout = Some(name.into()),
            Some(("option", pair)) => {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                choices.options.push((name.into(), value.into()));
            }
            _ => panic!("unknown choice `{word}`"),
        }
    }
    choices
}

struct Board<'r> {
    rules: &'r Rules,
    position: Position,
    /// The positions since the last `state`, oldest first.
    earlier: Vec<Identity>,
}

impl Board<'_> {
    fn run(&mut self, line: &str) -> Result<(), String> {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        match verb {
            "state" => {
                self.earlier.clear();
                self.position = match rest {
                    "start" => self.rules.start(),
                    text => parse_state(self.rules, text).map_err(|error| error.to_string())?.position,
                };
                Ok(())
            }
            "play" => rest.split_whitespace().try_for_each(|text| {
                let played = self.parse(text).map_err(|error| format!("{text}: {error}"))?;
                let written = uci(self.rules, &self.position, played);
                same("written as", &written, &text.to_owned())?;
                self.earlier.push(self.rules.identity(&self.position));
                self.position = self.rules.play_unchecked(&self.position, played);
                Ok(())
            }),
            "legal" => rest.split_whitespace().try_for_each(|text| {
                self.parse(text).map(|_| ()).map_err(|error| format!("{text}: {error}"))
            }),
            "illegal" => rest.split_whitespace().try_for_each(|text| match self.parse(text) {
                Ok(_) => Err(format!("{text} is legal")),
                Err(MoveError::Unreadable(_)) => Err(format!("{text} is not a move")),
                Err(_) => Ok(()),
            }),
            "count" => {
                same("legal moves", &self.rules.count_moves(&self.position).to_string(), &rest.to_owned())
            }
            "perft" => {
                let (depth, nodes) = rest.split_once(' ').ok_or("perft DEPTH NODES")?;
                let depth = depth.parse().map_err(|_| "the depth is not a number")?;
                same("nodes", &self.rules.perft(&self.position, depth).to_string(), &nodes.to_owned())
            }
            "turn" => {
                let mover = &self.rules.player(self.rules.mover(&self.position)).name;
                same("turn", mover, &rest.to_owned())
            }
            "outcome" => same("outcome", &self.outcome(), &rest.to_owned()),
            "throw" => {
                let face = rest.parse().map_err(|_| "the face is not a number")?;
                self.position = self.rules.throw(&self.position, face).ok_or("no throw is due")?;
                Ok(())
            }
            "offer" => same("offer", &self.offer(), &rest.to_owned()),
            "exchange" => {
                self.position = self.rules.play_exchange(&self.position).ok_or("no exchange is possible")?;
                Ok(())
            }
            "frozen" => same("frozen", &self.names(self.position.frozen()), &rest.to_owned()),
            "controls" => {
                let (player, army) = rest.split_once(' ').ok_or("controls PLAYER ARMY")?;
                let found = self.rules.players().find(|it| self.name(*it) == army).ok_or("no such army")?;
                let controller = self.position.controller(found).map_or("none", |it| self.name(it));
                same("control", &controller.to_owned(), &player.to_owned())
            }
            "on" => {
                let (square, pieces) = rest.split_once(' ').ok_or("on SQUARE PIECES")?;
                same("pieces", &self.pieces(square), &pieces.to_owned())
            }
            _ => Err("unknown command".into()),
        }
    }

    fn parse(&self, text: &str) -> Result<tabiya_engine::Move, MoveError> {
        parse_uci(self.rules, &self.position, text)
    }

    /// Returns how the game ended. Quiet turns are not counted.
    fn outcome(&self) -> String {
        let rules = self.rules;
        let tally = rules.tally(self.earlier.iter(), &rules.identity(&self.position), 0);
        let outcome = rules.outcome(&self.position).map(|it| (it.winners, rules.reason(it.reason)));
        let listed = || {
            let mover = rules.mover(&self.position);
            let ending = rules.ending(&self.position, tally, Trigger::Rule, mover, None)?;
            Some((ending.winners, ending.code.to_lowercase()))
        };
        let Some((winners, reason)) = outcome.or_else(listed) else { return "none".into() };
        let result = if winners.is_empty() { "draw".into() } else { self.names(winners) };
        format!("{result} {reason}")
    }

    /// Returns who may propose an exchange, and to whom.
    fn offer(&self) -> String {
        let offer = self.rules.exchange(&self.position);
        offer.map_or("none".into(), |it| format!("{} to {}", self.name(it.proposer), self.name(it.answerer)))
    }

    /// Returns the pieces on a square.
    fn pieces(&self, square: &str) -> String {
        let Some(square) = self.rules.board().parse(square) else { return "not a square".into() };
        let pieces = [self.position.piece(square), self.position.guest(square)];
        let words = pieces
            .iter()
            .flatten()
            .map(|it| format!("{} {}", self.name(it.player), self.rules.kind(it.kind).code));
        let words: Vec<String> = words.collect();
        if words.is_empty() { "empty".into() } else { words.join(" + ") }
    }

    fn names(&self, players: PlayerSet) -> String {
        let names: Vec<&str> = players.iter().map(|player| self.name(player)).collect();
        if names.is_empty() { "none".into() } else { names.join(" ") }
    }

    fn name(&self, player: Player) -> &str {
        &self.rules.player(player).name
    }
}

fn same(what: &str, found: &String, expected: &String) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found}, not {expected}")) }
}
