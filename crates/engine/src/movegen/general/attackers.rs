//! All captures of a game, seen from the captured piece.
//!
//! Plain captures are merged over all players and kinds that make them, so that one lookup from the victim's square
//! finds them all. The other captures are *guarded* and are tested one by one.

use std::collections::{BTreeMap, HashMap};

use crate::compile::pattern::{Action, Pattern};
use crate::movegen::general::ray_table::{Ray, RayTable, RayTables};
use crate::movegen::general::slide::Slide;
use crate::piece::{Kind, Player, PlayerSet};

/// All captures of a game.
pub(crate) struct Attackers {
    pub(crate) leaps: Box<[Leapers]>,
    /// The squares from which any leap hits the victim.
    pub(crate) near: RayTable,
    pub(crate) slides: Box<[Sliders]>,
    /// Captures with conditions, effects that can block, or unusual slides: kind and index in its list.
    pub(crate) guarded: Box<[(Kind, u16)]>,
}

/// Kinds that capture by the same leaps.
pub(crate) struct Leapers {
    pub(crate) kinds: Box<[Kind]>,
    pub(crate) players: PlayerSet,
    /// The squares from which they hit the victim.
    pub(crate) from: RayTable,
}

/// Kinds that capture along the same slides.
pub(crate) struct Sliders {
    pub(crate) users: Users,
    /// Slides away from the victim, by direction.
    pub(crate) slides: Box<[Slide]>,
    /// All directions together.
    pub(crate) star: RayTable,
}

/// Kinds by sets of players.
pub(crate) type Users = Vec<(PlayerSet, Vec<Kind>)>;

impl Attackers {
    /// Sorts the captures of all players. The patterns are by player and kind.
    ///
    /// Plain captures can take every kind of leader or, if there is none, any piece.
    pub(crate) fn new<const W: usize, P>(
        ray_tables: &mut RayTables<W>,
        patterns: &[P],
        leaders: &[Kind],
    ) -> Self
    where
        P: std::ops::Deref<Target = [Box<[Pattern]>]>,
    {
        let is_flat = ray_tables.is_flat();
        let mut leaps: BTreeMap<(Kind, RayTable), PlayerSet> = BTreeMap::new();
        let mut near = Vec::new();
        let mut slides: BTreeMap<Ray, BTreeMap<Kind, PlayerSet>> = BTreeMap::new();
        for (player, kinds) in (0..).map(Player).zip(patterns) {
            for (kind, patterns) in (0..=u8::MAX).map(Kind).zip(kinds.iter()) {
                let mut hits = Vec::new();
                let plain = patterns.iter().filter(|it| is_flat && is_plain_capture(it, leaders));
                let plain = plain.map(seen_from_victim);
                for ray in plain.filter(|ray| !ray.jump.leads_nowhere()) {
                    if ray.max == 1 {
                        hits.push(ray);
                    } else {
                        let users = slides.entry(ray).or_default().entry(kind).or_default();
                        *users = users.with(player);
                    }
                }
                near.extend_from_slice(&hits);
                if !hits.is_empty() {
                    let players = leaps.entry((kind, ray_tables.add(hits))).or_default();
                    *players = players.with(player);
                }
            }
        }
        let mut alike: BTreeMap<(RayTable, u64), Vec<Kind>> = BTreeMap::new();
        for ((kind, from), players) in leaps {
            alike.entry((from, players.bits())).or_default().push(kind);
        }
        let leapers = |((from, players), kinds): ((RayTable, u64), Vec<Kind>)| Leapers {
            kinds: kinds.into(),
            players: PlayerSet::from_bits(players),
            from,
        };
        Attackers {
            leaps: alike.into_iter().map(leapers).collect(),
            near: ray_tables.add(near),
            slides: by_users(slides)
                .into_iter()
                .map(|(users, rays)| Sliders {
                    users,
                    star: ray_tables.add(rays.clone()),
                    slides: rays.iter().map(|ray| Slide::new(ray_tables, *ray)).collect(),
                })
                .collect(),
            guarded: patterns.first().map(|kinds| guarded(kinds, leaders, is_flat)).unwrap_or_default(),
        }
    }
}

/// Groups slides with the same users.
fn by_users(slides: BTreeMap<Ray, BTreeMap<Kind, PlayerSet>>) -> Vec<(Users, Vec<Ray>)> {
    let mut groups: Vec<(Users, Vec<Ray>)> = Vec::new();
    let mut index: HashMap<Users, usize> = HashMap::new();
    for (ray, kinds) in slides {
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
        groups[group].1.push(ray);
    }
    groups
}

/// Returns the guarded captures: all captures where a slide cannot be followed back from the victim. They are the same for
/// every player.
fn guarded(kinds: &[Box<[Pattern]>], leaders: &[Kind], is_flat: bool) -> Box<[(Kind, u16)]> {
    let guarded = |pattern: &Pattern| captures(pattern) && !(is_flat && is_plain_capture(pattern, leaders));
    (0..=u8::MAX)
        .map(Kind)
        .zip(kinds)
        .flat_map(|(kind, patterns)| {
            let numbered = (0u16..).zip(patterns.iter());
            numbered.filter(|(_, pattern)| guarded(pattern)).map(move |(index, _)| (kind, index))
        })
        .collect()
}

fn seen_from_victim(pattern: &Pattern) -> Ray {
    Ray { jump: pattern.back, min: pattern.min, max: pattern.max }
}

fn captures(pattern: &Pattern) -> bool {
    pattern.min <= pattern.max && pattern.on_enemy.as_ref().is_some_and(|action| action.captures)
}

fn is_plain_capture(pattern: &Pattern, leaders: &[Kind]) -> bool {
    // A leader has no tag.
    let takes = |action: &Action| {
        let takes_all = leaders.iter().all(|leader| action.captures_kind(*leader));
        action.captures_any() || !leaders.is_empty() && takes_all
    };
    captures(pattern)
        && pattern.stops_at_pieces()
        && pattern.tests.is_empty()
        && pattern
            .on_enemy
            .as_ref()
            .is_some_and(|action| action.tests.is_empty() && !action.may_block && takes(action))
}
