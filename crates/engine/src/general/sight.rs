//! How pieces are captured, seen from the victim: by whom, and from where.
//!
//! Captures without further conditions are merged over all players and kinds that make them alike, so that one look
//! from the victim finds them all. The others are *guarded*; they are tried one by one.

use std::collections::{BTreeMap, HashMap};

use crate::general::fan::{Fan, Fans, Way};
use crate::general::slide::Slide;
use crate::piece::{Kind, Player, PlayerSet};
use crate::rules::{Act, Pattern};

/// All captures of a game.
pub(crate) struct Sights {
    pub(crate) leaps: Box<[Leapers]>,
    /// From which squares any of them hits the victim's.
    pub(crate) near: Fan,
    pub(crate) slides: Box<[Sliders]>,
    /// Captures with conditions, effects that can block, or unusual slides: kind and place in its list.
    pub(crate) guarded: Box<[(Kind, u16)]>,
}

/// Kinds that capture by the same leaps.
pub(crate) struct Leapers {
    pub(crate) kinds: Box<[Kind]>,
    pub(crate) players: PlayerSet,
    /// From which squares they hit the victim's.
    pub(crate) from: Fan,
}

/// Those who capture along the same slides.
pub(crate) struct Sliders {
    pub(crate) users: Users,
    /// Away from the victim, direction by direction.
    pub(crate) slides: Box<[Slide]>,
    /// All directions together.
    pub(crate) star: Fan,
}

/// Which kinds of which players do something.
pub(crate) type Users = Vec<(PlayerSet, Vec<Kind>)>;

impl Sights {
    /// Sorts the captures of all players; the patterns are by player and kind.
    ///
    /// Who does not take the leader is not plain; without one, whoever does not take everything.
    pub(crate) fn new<const W: usize, P>(fans: &mut Fans<W>, patterns: &[P], leader: Option<Kind>) -> Self
    where
        P: std::ops::Deref<Target = [Box<[Pattern]>]>,
    {
        let mut leaps: BTreeMap<(Kind, Fan), PlayerSet> = BTreeMap::new();
        let mut near = Vec::new();
        let mut slides: BTreeMap<Way, BTreeMap<Kind, PlayerSet>> = BTreeMap::new();
        for (player, kinds) in (0..).map(Player).zip(patterns) {
            for (kind, patterns) in (0..).map(Kind).zip(kinds.iter()) {
                let mut hits = Vec::new();
                let plain = patterns.iter().filter(|it| is_plain_capture(it, leader)).map(seen_from_victim);
                for way in plain.filter(|way| !way.jump.leads_nowhere()) {
                    if way.max == 1 {
                        hits.push(way);
                    } else {
                        let users = slides.entry(way).or_default().entry(kind).or_default();
                        *users = users.with(player);
                    }
                }
                near.extend_from_slice(&hits);
                if !hits.is_empty() {
                    let players = leaps.entry((kind, fans.add(hits))).or_default();
                    *players = players.with(player);
                }
            }
        }
        let mut alike: BTreeMap<(Fan, u64), Vec<Kind>> = BTreeMap::new();
        for ((kind, from), players) in leaps {
            alike.entry((from, players.bits())).or_default().push(kind);
        }
        let leapers = |((from, players), kinds): ((Fan, u64), Vec<Kind>)| Leapers {
            kinds: kinds.into(),
            players: PlayerSet::from_bits(players),
            from,
        };
        Sights {
            leaps: alike.into_iter().map(leapers).collect(),
            near: fans.add(near),
            slides: by_users(slides)
                .into_iter()
                .map(|(users, ways)| Sliders {
                    users,
                    star: fans.add(ways.clone()),
                    slides: ways.iter().map(|way| Slide::new(fans, *way)).collect(),
                })
                .collect(),
            guarded: patterns.first().map(|kinds| guarded(kinds, leader)).unwrap_or_default(),
        }
    }
}

/// Slides with the same users, together.
fn by_users(slides: BTreeMap<Way, BTreeMap<Kind, PlayerSet>>) -> Vec<(Users, Vec<Way>)> {
    let mut groups: Vec<(Users, Vec<Way>)> = Vec::new();
    let mut index: HashMap<Users, usize> = HashMap::new();
    for (way, kinds) in slides {
        let mut users: Users = Vec::new();
        for (kind, players) in kinds {
            match users.iter_mut().find(|(others, _)| *others == players) {
                Some((_, kinds)) => kinds.push(kind),
                None => users.push((players, vec![kind])),
            }
        }
        let group = *index.entry(users.clone()).or_insert(groups.len());
        if group == groups.len() {
            groups.push((users, Vec::new()));
        }
        groups[group].1.push(way);
    }
    groups
}

/// The captures that are not plain; which ones they are is the same for every player.
fn guarded(kinds: &[Box<[Pattern]>], leader: Option<Kind>) -> Box<[(Kind, u16)]> {
    let guarded = |pattern: &Pattern| captures(pattern) && !is_plain_capture(pattern, leader);
    (0..)
        .map(Kind)
        .zip(kinds)
        .flat_map(|(kind, patterns)| {
            let numbered = (0u16..).zip(patterns.iter());
            numbered.filter(|(_, pattern)| guarded(pattern)).map(move |(index, _)| (kind, index))
        })
        .collect()
}

fn seen_from_victim(pattern: &Pattern) -> Way {
    Way { jump: pattern.back, min: pattern.min, max: pattern.max }
}

fn captures(pattern: &Pattern) -> bool {
    pattern.min <= pattern.max && pattern.on_enemy.as_ref().is_some_and(|act| act.captures)
}

fn is_plain_capture(pattern: &Pattern, leader: Option<Kind>) -> bool {
    // A leader carries no tag.
    let takes = |act: &Act| act.takes_all() || leader.is_some_and(|leader| act.takes(leader));
    captures(pattern)
        && pattern.stops_at_pieces()
        && pattern.tests.is_empty()
        && pattern.on_enemy.as_ref().is_some_and(|act| act.tests.is_empty() && !act.may_block && takes(act))
}
