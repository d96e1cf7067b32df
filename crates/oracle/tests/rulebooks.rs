//! The rulebooks run: every block marked `tabiya` in `games/*.md` is played, line by line.

use tabiya_engine::{Position, Rules};
use tabiya_notation::{MoveError, move_text, parse_move, parse_state};

#[test]
fn the_examples_of_every_rulebook_hold() {
    let mut failures = Vec::new();
    for entry in tabiya_spec::library::games() {
        let rules = tabiya_spec::load(entry.json.as_bytes()).game.expect("the library is sound").rules;
        let mut lines = 0;
        for (number, block) in blocks(entry.rulebook) {
            let mut board = Board { rules: &rules, position: rules.start() };
            for (offset, line) in block.lines().enumerate() {
                lines += 1;
                if let Err(reason) = board.run(line) {
                    failures.push(format!("games/{}.md:{}: {line}: {reason}", entry.name, number + offset));
                }
            }
        }
        if lines < 5 {
            failures.push(format!("games/{}.md shows too little: {lines} lines of examples", entry.name));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// The fenced blocks with the info string `tabiya`, each with the number of its first line.
fn blocks(text: &str) -> Vec<(usize, String)> {
    let mut blocks: Vec<(usize, String)> = Vec::new();
    let mut inside = false;
    for (index, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            inside = line == "```tabiya";
            if inside {
                blocks.push((index + 2, String::new()));
            }
        } else if inside && let Some((_, block)) = blocks.last_mut() {
            block.push_str(line);
            block.push('\n');
        }
    }
    blocks
}

struct Board<'r> {
    rules: &'r Rules,
    position: Position,
}

impl Board<'_> {
    fn run(&mut self, line: &str) -> Result<(), String> {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        match verb {
            "state" => {
                self.position = match rest {
                    "start" => self.rules.start(),
                    text => parse_state(self.rules, text).map_err(|error| error.to_string())?.position,
                };
                Ok(())
            }
            "play" => rest.split_whitespace().try_for_each(|text| {
                let played = self.parse(text).map_err(|error| format!("{text}: {error}"))?;
                let written = move_text(self.rules, &self.position, played);
                same("written as", &written, &text.to_owned())?;
                self.position = self.rules.play_unchecked(&self.position, played);
                Ok(())
            }),
            "legal" => rest.split_whitespace().try_for_each(|text| {
                self.parse(text).map(|_| ()).map_err(|error| format!("{text}: {error}"))
            }),
            "illegal" => rest.split_whitespace().try_for_each(|text| match self.parse(text) {
                Ok(_) => Err(format!("{text} is legal")),
                Err(MoveError::Unreadable(_)) => Err(format!("{text} is not a move at all")),
                Err(_) => Ok(()),
            }),
            "count" => {
                same("legal moves", &self.rules.count_moves(&self.position).to_string(), &rest.to_owned())
            }
            "perft" => {
                let (depth, nodes) = rest.split_once(' ').ok_or("perft DEPTH NODES")?;
                let depth = depth.parse().map_err(|_| "the depth is no number")?;
                same("nodes", &self.rules.perft(&self.position, depth).to_string(), &nodes.to_owned())
            }
            "turn" => {
                let mover = &self.rules.player(self.rules.mover(&self.position)).name;
                same("turn", mover, &rest.to_owned())
            }
            "outcome" => same("outcome", &self.outcome(), &rest.to_owned()),
            _ => Err("no such verb".into()),
        }
    }

    fn parse(&self, text: &str) -> Result<tabiya_engine::Move, MoveError> {
        parse_move(self.rules, &self.position, text)
    }

    fn outcome(&self) -> String {
        let Some(outcome) = self.rules.outcome(&self.position) else { return "none".into() };
        let names: Vec<&str> =
            outcome.winners.iter().map(|player| self.rules.player(player).name.as_str()).collect();
        let who = if names.is_empty() { "draw".into() } else { names.join(" ") };
        format!("{who} {}", self.rules.reason(outcome.reason))
    }
}

fn same(what: &str, found: &String, expected: &String) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found}, not {expected}")) }
}
