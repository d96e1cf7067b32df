//! Checks the parts of a file besides its arrays: board, armies, teams, players, diagonal systems, die.
//!
//! The game fixes all of these, so a file may repeat but not change them.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_saphyr::Spanned;
use tabiya_spec::{Choices, library};

use crate::army::{Army, DiagonalSystem, PieceKind};
use crate::check::{Reader, line};
use crate::game::RuleSet;
use crate::yaml::Word;

const TEAMS: [(&str, [Army; 2]); 2] =
    [("air", [Army::Blue, Army::Black]), ("earth", [Army::Red, Army::Yellow])];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BoardForm {
    files: Option<Spanned<u32>>,
    ranks: Option<Spanned<u32>>,
    bit_0: Option<Word>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ControllersForm {
    four_players: Option<Spanned<Controllers>>,
    two_players: Option<Spanned<Controllers>>,
}

pub(crate) type Controllers = BTreeMap<u8, Vec<Word>>;
pub(crate) type Teams = BTreeMap<String, Spanned<Vec<Word>>>;
pub(crate) type DiagonalSystems = BTreeMap<String, Spanned<u64>>;
pub(crate) type Dice = BTreeMap<String, Spanned<BTreeMap<u8, Spanned<Vec<Vec<Word>>>>>>;

impl Reader {
    pub(crate) fn board(&mut self, form: &BoardForm) {
        for (key, number) in [("files", &form.files), ("ranks", &form.ranks)] {
            if let Some(number) = number.as_ref().filter(|number| number.value != 8) {
                self.report(line(number), format!("`board`: the board has 8 {key}, not {}", number.value));
            }
        }
        if let Some(square) = form.bit_0.as_ref().filter(|square| square.value != "a1") {
            self.report(line(square), format!("`board`: bit 0 of a mask is a1, not `{}`", square.value));
        }
    }

    pub(crate) fn teams(&mut self, at: u64, teams: &Teams) {
        for (name, words) in teams {
            let Some((_, members)) = TEAMS.iter().find(|(team, _)| team == name) else {
                self.report(
                    line(words),
                    format!("`teams`: `{name}` is not a team; the teams are air, earth"),
                );
                continue;
            };
            let mut armies: Vec<Army> = words.value.iter().filter_map(|word| self.army(word)).collect();
            armies.sort_unstable();
            if armies.len() == words.value.len() && armies != members {
                let [one, other] = members;
                self.report(line(words), format!("`teams`: {name} consists of {one} and {other}"));
            }
        }
        for (name, _) in TEAMS.iter().filter(|(name, _)| !teams.contains_key(*name)) {
            self.report(at, format!("`teams` has no {name}"));
        }
    }

    pub(crate) fn controller_maps(&mut self, form: &ControllersForm) {
        let four = Army::ALL.map(|army| vec![army]).to_vec();
        let two = TEAMS.map(|(_, members)| members.to_vec()).to_vec();
        let maps = [("four_players", &form.four_players, four), ("two_players", &form.two_players, two)];
        for (key, map, expected) in maps {
            let Some(map) = map else { continue };
            let mut found: Vec<Vec<Army>> = Vec::new();
            let errors = self.errors.len();
            for words in map.value.values() {
                let mut armies: Vec<Army> = words.iter().filter_map(|word| self.army(word)).collect();
                armies.sort_unstable();
                found.push(armies);
            }
            found.sort_unstable();
            if self.errors.len() == errors && found != expected {
                let armies = if key == "four_players" { "one army" } else { "the two armies of a team" };
                self.report(line(map), format!("`controller_map`: in {key} each player has {armies}"));
            }
        }
    }

    pub(crate) fn diagonal_systems(&mut self, systems: &DiagonalSystems) {
        for (name, mask) in systems {
            match DiagonalSystem::named(name) {
                None => {
                    self.report(line(mask), format!("`diagonal_systems`: `{name}` is not aries or cancer"));
                }
                Some(system) if system.squares() != mask.value => self.report(
                    line(mask),
                    format!("`diagonal_systems`: the mask of {name} is 0x{:016X}", system.squares()),
                ),
                Some(_) => {}
            }
        }
    }

    pub(crate) fn dice(&mut self, dice: &Dice) {
        for (name, table) in dice {
            let Some(rules) = RuleSet::ALL.into_iter().find(|rules| rules.preset() == name) else {
                let what = format!("`die`: `{name}` is not a rule set; the rule sets are document, zalewski");
                self.report(line(table), what);
                continue;
            };
            let expected = faces(rules);
            for (number, lists) in &table.value {
                let errors = self.errors.len();
                let found: Vec<Vec<PieceKind>> = lists
                    .value
                    .iter()
                    .map(|words| words.iter().filter_map(|word| self.kind(word)).collect())
                    .collect();
                if self.errors.len() > errors {
                    continue;
                }
                match usize::from(*number).checked_sub(1).and_then(|index| expected.get(index)) {
                    None => {
                        let what =
                            format!("`die`: the die has {} faces, and there is no {number}", expected.len());
                        self.report(line(lists), what);
                    }
                    Some(face) if *face != found => {
                        let what =
                            format!("`die`: under the rule set {name} a {number} moves {}", in_words(face));
                        self.report(line(lists), what);
                    }
                    Some(_) => {}
                }
            }
            let numbers = (1..).take(expected.len());
            for missing in numbers.filter(|number| !table.value.contains_key(number)) {
                self.report(line(table), format!("`die`: `{name}` has no face {missing}"));
            }
        }
    }
}

fn in_words(face: &[Vec<PieceKind>]) -> String {
    let lists: Vec<String> = face
        .iter()
        .map(|kinds| kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" or "))
        .collect();
    lists.join(", or if it cannot move, ")
}

/// Returns the kinds that each face moves, according to the game file: those of the first list with a legal move.
fn faces(rules: RuleSet) -> Vec<Vec<Vec<PieceKind>>> {
    let choices = Choices {
        layout: None,
        preset: Some(rules.preset().to_owned()),
        options: vec![("DIVINATION".to_owned(), "true".to_owned())],
    };
    let game = library::find("enochian").and_then(|entry| entry.load_with(&choices).game);
    let Some(game) = game else { return Vec::new() };
    let Some(chance) = &game.rules.mechanics().chance else { return Vec::new() };
    let kind = |code: &str| PieceKind::named(&code.to_lowercase()).unwrap_or(PieceKind::Pawn);
    let list = |kinds: &Vec<tabiya_engine::Kind>| {
        let mut kinds: Vec<PieceKind> = kinds.iter().map(|it| kind(&game.rules.kind(*it).code)).collect();
        kinds.dedup();
        kinds
    };
    chance.faces.iter().map(|lists| lists.iter().map(list).collect()).collect()
}
