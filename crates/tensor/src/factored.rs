//! Actions from the rules of any game: where the piece stands, as its owner sees the board, and what it does. What pieces
//! do is read from their moves: every step that one of them can make, and what it may become by it.

use std::collections::BTreeMap;

use tabiya_engine::blueprint::MovePlan;
use tabiya_engine::{Kind, Move, Offset, Position, Rules};

use crate::perspective::Perspective;

/// What a piece does, the same for all pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Deed {
    /// Neutral: forwards is up.
    step: Offset,
    promotion: Option<Kind>,
    /// Of two pieces on one square, the guest does it.
    guest: bool,
    /// Where several moves of a piece lead to the same square: the place among them.
    twin: u8,
}

/// The numbers of moves.
#[derive(Debug)]
pub(crate) struct Factored {
    perspective: Perspective,
    deeds: Vec<Deed>,
    /// By kind and place in its list of moves.
    ways: Vec<Vec<Way>>,
}

/// One move of a kind.
#[derive(Debug)]
struct Way {
    /// The step that is repeated.
    step: Offset,
    /// What it may become; nothing is among it where it may stay what it is.
    choices: Vec<Option<Kind>>,
    /// By guest or not, choice, and how often the step is made, less one: the number of the deed.
    numbers: Vec<u16>,
    most: usize,
}

impl Factored {
    pub(crate) fn new(rules: &Rules) -> Self {
        let perspective = Perspective::new(rules);
        let guests: &[bool] = if rules.mechanics().sharing.is_some() { &[false, true] } else { &[false] };
        let mut deeds: BTreeMap<Deed, u16> = BTreeMap::new();
        let mut all: Vec<Vec<Vec<Vec<Deed>>>> = Vec::new();
        for kind in rules.kinds() {
            let mut before: BTreeMap<(Offset, Option<Kind>), u8> = BTreeMap::new();
            let moves = rules.kind(kind).moves.iter().map(|plan| {
                let mut lists = Vec::new();
                let mut met = Vec::new();
                for choice in choices(plan) {
                    let steps: Vec<Offset> =
                        (1..=most(rules, plan)).map(|times| scaled(plan.step, times)).collect();
                    met.extend(steps.iter().map(|step| (*step, choice)));
                    let twin = |step: &Offset| before.get(&(*step, choice)).copied().unwrap_or(0);
                    lists.push(
                        steps
                            .iter()
                            .map(|step| Deed {
                                step: *step,
                                promotion: choice,
                                guest: false,
                                twin: twin(step),
                            })
                            .collect(),
                    );
                }
                for key in met {
                    *before.entry(key).or_default() += 1;
                }
                lists
            });
            all.push(moves.collect());
        }
        for deed in all.iter().flatten().flatten().flatten() {
            for guest in guests {
                deeds.insert(Deed { guest: *guest, ..*deed }, 0);
            }
        }
        for (number, entry) in deeds.values_mut().enumerate() {
            *entry = number as u16;
        }
        let ways = rules.kinds().zip(&all).map(|(kind, moves)| {
            let moves = rules.kind(kind).moves.iter().zip(moves);
            let way = |(plan, lists): (&MovePlan, &Vec<Vec<Deed>>)| {
                let with = |guest: bool| lists.iter().flatten().map(move |deed| Deed { guest, ..*deed });
                Way {
                    step: plan.step,
                    choices: choices(plan),
                    numbers: guests.iter().flat_map(|guest| with(*guest)).map(|deed| deeds[&deed]).collect(),
                    most: most(rules, plan),
                }
            };
            moves.map(way).collect()
        });
        let ways = ways.collect();
        Factored { perspective, deeds: deeds.into_keys().collect(), ways }
    }

    pub(crate) fn actions(&self) -> usize {
        self.perspective.rows * self.perspective.columns * self.deeds.len()
    }

    pub(crate) fn action(&self, rules: &Rules, position: &Position, played: Move) -> u32 {
        let kind = rules.moving_kind(position, played);
        let way = &self.ways[kind.index()][usize::from(played.pattern)];
        let ((x, y), (to_x, to_y)) = (rules.board().coords(played.from), rules.board().coords(played.to));
        let apart = |a: i32, b: i32| (a - b).unsigned_abs();
        let unit = way.step.dx.unsigned_abs().max(way.step.dy.unsigned_abs());
        let times = (apart(to_x, x).max(apart(to_y, y)) / unit) as usize;
        let choice = way.choices.iter().position(|choice| *choice == played.promotion).unwrap_or(0);
        let layer = usize::from(played.guest) * way.choices.len() + choice;
        let number = way.numbers[layer * way.most + times.saturating_sub(1)];
        let cell = self.perspective.of(rules.mover(position))[played.from.index()];
        u32::from(cell) * self.deeds.len() as u32 + u32::from(number)
    }

    /// What each of them is.
    pub(crate) fn deeds(&self, rules: &Rules) -> Vec<String> {
        let name = |deed: &Deed| {
            let Deed { step, promotion, guest, twin } = deed;
            let mut name = format!("{:+},{:+}", step.dx, step.dy);
            if let Some(kind) = promotion {
                name += &format!(" = {}", rules.kind(*kind).code);
            }
            if *guest {
                name += " (guest)";
            }
            if *twin > 0 {
                name += &format!(" (way {})", twin + 1);
            }
            name
        };
        self.deeds.iter().map(name).collect()
    }
}

/// What a piece may become by a move, and that it may stay what it is.
fn choices(plan: &MovePlan) -> Vec<Option<Kind>> {
    let mut choices = vec![None];
    for kind in plan.modifiers.iter().flat_map(|modifier| &modifier.options) {
        if !choices.contains(&Some(*kind)) {
            choices.push(Some(*kind));
        }
    }
    choices
}

/// How often a step may be made on this board.
fn most(rules: &Rules, plan: &MovePlan) -> usize {
    // A move that ends where nothing can be is made once all the same: rules may have such moves.
    let longest = usize::from(rules.board().files().max(rules.board().ranks()));
    let unit = plan.step.dx.unsigned_abs().max(plan.step.dy.unsigned_abs()).max(1) as usize;
    let fits = ((longest - 1) / unit).max(1);
    plan.repeat.max.map_or(fits, |max| fits.min(max as usize).max(1))
}

fn scaled(step: Offset, times: usize) -> Offset {
    Offset::new(step.dx * times as i32, step.dy * times as i32)
}
