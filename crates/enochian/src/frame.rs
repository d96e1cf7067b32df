//! What a file says besides its arrays: board, armies, teams, players, networks, die. All of it is fixed by the game, and
//! nothing in a file can change it; so whatever differs from the game is told, and not passed over.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_saphyr::Spanned;
use tabiya_spec::{Choices, library};

use crate::army::{Army, Network, PieceKind};
use crate::check::{Reader, line};
use crate::game::RuleSet;
use crate::read::Word;

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
pub(crate) type Networks = BTreeMap<String, Spanned<u64>>;
pub(crate) type Dice = BTreeMap<String, Spanned<BTreeMap<u8, Spanned<Vec<Vec<Word>>>>>>;

impl Reader {
    pub(crate) fn board(&mut self, form: &BoardForm) {
        for (key, number) in [("files", &form.files), ("ranks", &form.ranks)] {
            if let Some(number) = number.as_ref().filter(|number| number.value != 8) {
                self.complain(line(number), format!("`board`: there are 8 {key}, not {}", number.value));
            }
        }
        if let Some(square) = form.bit_0.as_ref().filter(|square| square.value != "a1") {
            self.complain(line(square), format!("`board`: bit 0 of a mask is a1, not `{}`", square.value));
        }
    }

    pub(crate) fn teams(&mut self, at: u64, teams: &Teams) {
        for (name, words) in teams {
            let Some((_, members)) = TEAMS.iter().find(|(team, _)| team == name) else {
                self.complain(line(words), format!("`teams`: `{name}` is no team; the teams are air, earth"));
                continue;
            };
            let mut armies: Vec<Army> = words.value.iter().filter_map(|word| self.army(word)).collect();
            armies.sort_unstable();
            if armies.len() == words.value.len() && armies != members {
                let [one, other] = members;
                self.complain(line(words), format!("`teams`: {name} are {one} and {other}"));
            }
        }
        for (name, _) in TEAMS.iter().filter(|(name, _)| !teams.contains_key(*name)) {
            self.complain(at, format!("`teams` has no {name}"));
        }
    }

    pub(crate) fn controller_maps(&mut self, form: &ControllersForm) {
        let four = Army::ALL.map(|army| vec![army]).to_vec();
        let two = TEAMS.map(|(_, members)| members.to_vec()).to_vec();
        let maps = [("four_players", &form.four_players, four), ("two_players", &form.two_players, two)];
        for (key, map, expected) in maps {
            let Some(map) = map else { continue };
            let mut found: Vec<Vec<Army>> = Vec::new();
            let faults = self.faults.len();
            for words in map.value.values() {
                let mut armies: Vec<Army> = words.iter().filter_map(|word| self.army(word)).collect();
                armies.sort_unstable();
                found.push(armies);
            }
            found.sort_unstable();
            if self.faults.len() == faults && found != expected {
                let each = if key == "four_players" { "one army" } else { "the two armies of a team" };
                self.complain(
                    line(map),
                    format!("`controller_map`: of {key} each has {each}, and every army has a player"),
                );
            }
        }
    }

    pub(crate) fn diagonal_systems(&mut self, systems: &Networks) {
        for (name, mask) in systems {
            match Network::ALL.into_iter().find(|network| network.name() == name) {
                None => self.complain(
                    line(mask),
                    format!("`diagonal_systems`: `{name}` is neither aries nor cancer"),
                ),
                Some(network) if network.squares() != mask.value => self.complain(
                    line(mask),
                    format!("`diagonal_systems`: the mask of {name} is 0x{:016X}", network.squares()),
                ),
                Some(_) => {}
            }
        }
    }

    pub(crate) fn dice(&mut self, dice: &Dice) {
        for (name, table) in dice {
            let Some(rules) = RuleSet::ALL.into_iter().find(|rules| rules.preset() == name) else {
                let what = format!("`die`: `{name}` is no set of rules; they are document, zalewski");
                self.complain(line(table), what);
                continue;
            };
            let expected = faces(rules);
            for (number, lists) in &table.value {
                let faults = self.faults.len();
                let found: Vec<Vec<PieceKind>> = lists
                    .value
                    .iter()
                    .map(|words| words.iter().filter_map(|word| self.kind(word)).collect())
                    .collect();
                if self.faults.len() > faults {
                    continue;
                }
                match usize::from(*number).checked_sub(1).and_then(|index| expected.get(index)) {
                    None => {
                        let what = format!("`die`: it has {} faces, and no {number}", expected.len());
                        self.complain(line(lists), what);
                    }
                    Some(face) if *face != found => {
                        let what = format!("`die`: by the rules {name} a {number} moves {}", in_words(face));
                        self.complain(line(lists), what);
                    }
                    Some(_) => {}
                }
            }
            let numbers = (1..).take(expected.len());
            for missing in numbers.filter(|number| !table.value.contains_key(number)) {
                self.complain(line(table), format!("`die`: `{name}` has no face {missing}"));
            }
        }
    }
}

fn in_words(face: &[Vec<PieceKind>]) -> String {
    let lists: Vec<String> = face
        .iter()
        .map(|kinds| kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" or "))
        .collect();
    lists.join(", and if it cannot move ")
}

/// What may move, by face, as the game file says it: the men of the first list that can.
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
        let mut men: Vec<PieceKind> = kinds.iter().map(|it| kind(&game.rules.kind(*it).code)).collect();
        men.dedup();
        men
    };
    chance.faces.iter().map(|lists| lists.iter().map(list).collect()).collect()
}
