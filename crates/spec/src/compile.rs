//! Compiles a checked spec into the engine's blueprint: names become numbers, and defaults are filled in.
//!
//! The checks guarantee that every name is known, so lookups cannot fail.

mod effects;
mod endings;
mod mechanics;

use std::collections::{BTreeSet, HashMap};

use tabiya_engine::blueprint::{
    ActionPlan, Anchor, AttackTest, Blueprint, CastleDrop, CastlePlan, Condition, Effect, Event, EventTest,
    Hurdles, KindPlan, LegPlan, ModifierPlan, MovePlan, Occupancy, Placement, PlayerPlan, RegionOf,
    RegionPlan, Repeat, SquareTest, Until,
};
use tabiya_engine::ending::{Owner, PlayerResult, Trigger};
use tabiya_engine::mechanics::{Exposure, HandOf, Lost, Skip};
use tabiya_engine::{Flag, Kind, Offset, Player, Square, Symbol};

use crate::check::effects::only_landing;
use crate::letters;
use crate::model::{
    self, ActionKind, CastleSpec, Coord, GameSpec, GlobalCondition, MoveSpec, PieceSpec, RepeatSpec,
};
use crate::place::At;
use crate::read::Named;

/// Returns the blueprint of a spec without errors.
pub(crate) fn compile(spec: &GameSpec) -> Blueprint {
    let names = Names::of(spec);
    let board = &spec.board;
    let size = *board.dimensions;
    let players = spec.players.iter().map(|player| {
        let orientation = player.direction.symmetry(&spec.board).expect("checked");
        PlayerPlan::new(player.name.to_string(), orientation)
    });
    let order = spec.turns.order.iter().map(|name| names.player(name)).collect();
    let symbols = letters::symbols(spec);
    let kinds = spec.pieces.iter().zip(symbols).map(|(piece, symbol)| names.kind_plan(piece, symbol));
    let start_at = spec.turns.start_at.as_ref().map_or(0, |at| **at as u16);
    Blueprint::new(size.x as u16, size.y as u16)
        .with_disabled(board.disabled_positions.iter().map(|at| board.cell(**at)).collect())
        .with_topology(board.topology())
        .with_players(players.collect())
        .with_order(order, start_at)
        .with_leaders(spec.leaders().map(|code| names.kind(code)).collect())
        .with_kinds(kinds.collect())
        .with_start(start(spec, &names))
        .with_endings(endings::endings(spec, &names))
        .with_zeroing(endings::zeroing(spec, &names))
        .with_stalemate(endings::stalemate(spec))
        .with_draw_offers(spec.draw_offers.as_ref().is_none_or(|offers| **offers))
        .with_mechanics(mechanics::mechanics(spec, &names))
        .with_flags(names.flag_list)
        .with_flag_marks(names.flag_marks)
        .with_regions(names.region_plans)
}

/// Converts keywords of the format to values of the engine that have the same names.
macro_rules! same_names {
    ($($word:ident => $value:ty { $($name:ident),* })*) => {$(
        impl From<model::$word> for $value {
            fn from(word: model::$word) -> Self {
                match word { $(model::$word::$name => Self::$name,)* }
            }
        }
    )*};
}

same_names! {
    Anchor => Anchor { Source, Target }
    Event => Event { Captured, Promoted, Moved, Castled, Dropped, Stayed, Shot, Check }
    HandOf => HandOf { Captor, Owner }
    EndingResult => PlayerResult { Draw, Win, Loss }
    Exposure => Exposure { Illegal, Allowed, AllowedInCheck }
    Lost => Lost { Any, Last, LastOfKind }
    Occupancy => Occupancy { Empty, NotEmpty, Enemy, Ally, Team }
    Owner => Owner { Any, Own, Enemy, Partner, Team, Neutral }
    HurdleOwner => Owner { Any, Own, Enemy, Partner, Team }
    RegionOf => RegionOf { Own, Partner, Enemy, Any }
    Target => Occupancy { Empty, Enemy, Ally, Team }
    Skip => Skip { Never, IfStuck, Freely }
    Trigger => Trigger { Rule, Claim, Flag }
}

/// Converts a keyword, or returns the default.
fn word_or<W: Copy + Into<V>, V>(word: Option<&At<W>>, default: V) -> V {
    word.map_or(default, |word| (**word).into())
}

fn square(at: Coord, size: Coord) -> Square {
    Square(((at.z * size.y + at.y) * size.x + at.x) as u16)
}

fn offset(at: Coord) -> Offset {
    at.into()
}

fn start(spec: &GameSpec, names: &Names) -> Vec<Placement> {
    let size = *spec.board.dimensions;
    let mut start = Vec::new();
    for (index, player) in spec.players.iter().enumerate() {
        for group in player.starting_positions.iter() {
            let kind = names.kind(&group.piece);
            let tag = group.tag.as_ref().and_then(|value| tag_value(spec, value));
            start.extend(group.positions.iter().map(|at| {
                let mut placed = Placement::new(square(**at, size), Player(index as u8), kind);
                placed.tag = tag;
                placed
            }));
        }
    }
    start
}

/// Returns the index of a value of the tag.
fn tag_value(spec: &GameSpec, value: &str) -> Option<u8> {
    let values = &spec.tag.as_ref()?.values;
    values.keys().position(|known| known == value).map(|index| index as u8)
}

/// Numbers of all names in a game.
struct Names {
    players: HashMap<String, Player>,
    kinds: HashMap<String, Kind>,
    flags: HashMap<String, Flag>,
    regions: HashMap<String, u16>,
    counters: HashMap<String, u8>,
    flag_list: Vec<String>,
    flag_marks: Vec<Option<Offset>>,
    region_plans: Vec<RegionPlan>,
    /// All kinds except the leaders.
    followers: Vec<Kind>,
    /// Files and ranks of the board.
    size: Coord,
}

impl Names {
    fn of(spec: &GameSpec) -> Self {
        let players = spec.players.iter().map(|player| player.name.to_string());
        let codes = spec.pieces.iter().map(|piece| piece.code.to_string());
        let kinds: HashMap<String, Kind> = codes.enumerate().map(|(i, code)| (code, Kind(i as u8))).collect();
        let leaders: Vec<Kind> =
            spec.leaders().filter_map(|code| kinds.get(code.as_str())).copied().collect();
        let followers =
            (0..spec.pieces.len() as u8).map(Kind).filter(|kind| !leaders.contains(kind)).collect();
        let flag_names = flag_names(spec);
        let mark = |name: &String| marks_of(spec, name).next().map(offset);
        let flag_marks = flag_names.iter().map(mark).collect();
        let region_plans = regions(spec);
        let counters = spec.counters.iter().flat_map(|counters| counters.keys());
        Names {
            players: players.enumerate().map(|(i, name)| (name, Player(i as u8))).collect(),
            kinds,
            flags: flag_names.iter().enumerate().map(|(i, name)| (name.clone(), Flag(i as u8))).collect(),
            regions: region_plans.iter().enumerate().map(|(i, plan)| (plan.code.clone(), i as u16)).collect(),
            counters: counters.enumerate().map(|(i, name)| (name.clone(), i as u8)).collect(),
            flag_list: flag_names,
            flag_marks,
            region_plans,
            followers,
            size: *spec.board.dimensions,
        }
    }

    fn player(&self, name: &str) -> Player {
        self.players[name]
    }

    fn kind(&self, code: &str) -> Kind {
        self.kinds[code]
    }

    fn kind_plan(&self, piece: &PieceSpec, symbol: Symbol) -> KindPlan {
        let places: HashMap<i32, u16> =
            piece.moves.iter().enumerate().map(|(index, plan)| (*plan.id, index as u16)).collect();
        let moves = piece.moves.iter().map(|plan| self.move_plan(plan, &places)).collect();
        let mut plan = KindPlan::new(piece.code.to_string(), symbol, moves);
        plan.castles = piece.castling.iter().map(|castle| self.castle_plan(castle)).collect();
        plan.reverts_to = piece.reverts_to.as_ref().map(|code| self.kind(code));
        plan
    }

    fn castle_plan(&self, castle: &CastleSpec) -> CastlePlan {
        let mut targets = vec![None; self.players.len()];
        let of = |targets: &Named<Vec<At<Coord>>>, name: &str| {
            targets.get(name).and_then(|list| list.first()).map(|at| square(**at, self.size))
        };
        for (name, to) in castle.to.iter() {
            let to = to.first().map(|at| square(**at, self.size));
            targets[self.player(name).index()] = to.zip(of(&castle.with_to, name));
        }
        let mut plan = CastlePlan::new(*castle.id, self.kind_list(castle.with.iter()), targets);
        plan.drop = castle.drop.as_ref().map(|drop| CastleDrop {
            kind: self.kind(&drop.piece),
            of_partner: *drop.at == model::Leaver::Partner,
        });
        plan
    }

    fn move_plan(&self, plan: &MoveSpec, places: &HashMap<i32, u16>) -> MovePlan {
        let mut compiled = MovePlan::new(*plan.id, offset(*plan.step));
        compiled.legs = plan.legs.iter().map(|leg| leg_plan(leg)).collect();
        compiled.anywhere = plan.is_anywhere();
        compiled.repeat = plan.repeat.as_ref().map_or(Repeat::ONCE, |repeat| self.repeat(repeat));
        compiled.conditions = self.conditions(&plan.conditions, places);
        compiled.actions = plan.actions.iter().map(|action| self.action(action, places)).collect();
        compiled.modifiers = plan.modifiers.iter().map(|modifier| self.modifier(modifier, places)).collect();
        compiled.effects = self.effects(&plan.side_effects);
        compiled
    }

    fn action(&self, action: &model::ActionSpec, places: &HashMap<i32, u16>) -> ActionPlan {
        let captures = match *action.action {
            ActionKind::Move => false,
            ActionKind::Capture => true,
            ActionKind::Shoot => *action.state != model::Target::Empty,
        };
        let mut plan = ActionPlan::new((*action.state).into(), captures);
        plan.shoots = *action.action == ActionKind::Shoot;
        plan.victims = self.kinds_but(action.piece.as_ref(), action.not_piece.as_ref());
        plan.same_tag = action.same_tag.as_ref().is_some_and(|same| **same);
        plan.conditions = self.conditions(&action.conditions, places);
        plan.effects = self.effects(&action.side_effects);
        plan
    }

    fn modifier(&self, modifier: &model::ModifierSpec, places: &HashMap<i32, u16>) -> ModifierPlan {
        let mut plan = ModifierPlan::new(modifier.options.iter().map(|code| self.kind(code)).collect());
        plan.conditions = self.conditions(&modifier.conditions, places);
        let replaces = modifier.replaces.iter().flat_map(|map| map.iter());
        plan.replaces = replaces.map(|(option, to)| (self.kind(option), self.kind(to))).collect();
        plan
    }

    fn repeat(&self, repeat: &RepeatSpec) -> Repeat {
        let unlimited = repeat.unlimited.as_ref().is_some_and(|unlimited| **unlimited);
        let times = repeat.times.as_ref().map_or(1, |times| **times as u32);
        let until = repeat.until.as_ref().map_or("NOT_EMPTY", |until| until.as_str());
        Repeat {
            min: repeat.min.as_ref().map_or(1, |min| **min as u32),
            max: (!unlimited).then_some(times),
            until: match until {
                "NOT_EMPTY" => Until::State(Occupancy::NotEmpty),
                "EMPTY" => Until::State(Occupancy::Empty),
                "ALLY" => Until::State(Occupancy::Ally),
                "ENEMY" => Until::State(Occupancy::Enemy),
                "TEAM" => Until::State(Occupancy::Team),
                code => Until::Region(self.regions[code]),
            },
            hurdles: repeat.hurdles.as_ref().map(|count| self.hurdles(**count as u32, repeat)),
        }
    }

    fn hurdles(&self, count: u32, repeat: &RepeatSpec) -> Hurdles {
        let mut hurdles = Hurdles::new(count);
        hurdles.captured = repeat.captures.as_ref().is_some_and(|captures| **captures);
        hurdles.beyond = repeat.beyond.as_ref().map(|beyond| **beyond as u32);
        if let Some(over) = &repeat.over {
            hurdles.kinds = self.kinds_but(over.piece.as_ref(), over.not_piece.as_ref());
            hurdles.owner = word_or(over.owner.as_ref(), Owner::Any);
        }
        hurdles
    }

    fn conditions(&self, conditions: &[At<model::Condition>], places: &HashMap<i32, u16>) -> Vec<Condition> {
        conditions.iter().map(|condition| self.condition(condition, places)).collect()
    }

    fn condition(&self, condition: &model::Condition, places: &HashMap<i32, u16>) -> Condition {
        match condition {
            model::Condition::FirstMove {} => Condition::FirstMove,
            model::Condition::DependsOn { move_id } => Condition::DependsOn(places[&**move_id]),
            model::Condition::PieceFirstMove { position } => Condition::PieceUnmoved(offset(**position)),
            model::Condition::RookFirstMove { position } => Condition::EmptyOrUnmoved(offset(**position)),
            model::Condition::CheckState { state, position } => {
                Condition::HasFlag(self.flags[state.as_str()], offset(**position))
            }
            model::Condition::Marked { state } => Condition::Marked(self.flags[state.as_str()]),
            model::Condition::PathEmpty {} => Condition::PathEmpty,
            model::Condition::NotAttacked {} => Condition::NotAttacked,
            model::Condition::PathNotAttacked {} => Condition::PathNotAttacked,
            model::Condition::Square { position, anchor, state, piece, unmoved } => {
                let anchor = word_or(anchor.as_ref(), Anchor::Source);
                let mut test = SquareTest::new(offset(**position), anchor);
                test.state = state.as_deref().map(|state| (*state).into());
                test.kinds = piece.as_ref().map(|codes| codes.iter().map(|code| self.kind(code)).collect());
                test.unmoved = unmoved.as_deref().copied();
                Condition::Square(test)
            }
            model::Condition::InRegion { region, of, anchor } => Condition::Region {
                region: self.regions[region.as_str()],
                of: word_or(of.as_ref(), RegionOf::Own),
                at: word_or(anchor.as_ref(), Anchor::Target),
            },
            model::Condition::Attacked { position, anchor, by } => {
                self.attack_test(false, position.as_ref(), anchor.as_ref(), by.as_ref())
            }
            model::Condition::Defended { position, anchor, by } => {
                self.attack_test(true, position.as_ref(), anchor.as_ref(), by.as_ref())
            }
            model::Condition::Event { event, piece } => {
                let mut test = EventTest::new((**event).into());
                test.kinds = piece.as_ref().map(|codes| self.kind_list(codes.iter()));
                Condition::Event(test)
            }
            model::Condition::After { of } => Condition::After(self.clauses(of, Owner::Own)),
            model::Condition::All { of } => Condition::Any(vec![self.conditions(of, places)]),
            model::Condition::Any { of } => {
                Condition::Any(of.iter().map(|list| self.conditions(list, places)).collect())
            }
            model::Condition::Not { of } => Condition::Not(self.conditions(of, places)),
            model::Condition::Position(clause) => Condition::Position(self.clause(clause, Owner::Own)),
            model::Condition::Code(code) => Condition::InRegion(self.regions[code.as_str()]),
        }
    }

    fn attack_test(
        &self,
        defended: bool,
        position: Option<&At<Coord>>,
        anchor: Option<&At<model::Anchor>>,
        by: Option<&At<Vec<At<String>>>>,
    ) -> Condition {
        let mut test = AttackTest::new(word_or(anchor, Anchor::Target), defended);
        test.offset = position.map_or(Offset::new(0, 0), |at| offset(**at));
        test.by = by.map(|codes| self.kind_list(codes.iter()));
        Condition::Attacked(test)
    }

    /// Returns the kinds of one list that are not in another; `None` means all.
    fn kinds_but(
        &self,
        only: Option<&At<Vec<At<String>>>>,
        never: Option<&At<Vec<At<String>>>>,
    ) -> Option<Vec<Kind>> {
        let listed = |list: Option<&At<Vec<At<String>>>>| list.map(|codes| self.kind_list(codes.iter()));
        let (only, never) = (listed(only), listed(never));
        if only.is_none() && never.is_none() {
            return None;
        }
        let never = never.unwrap_or_default();
        let all = only.unwrap_or_else(|| (0..self.kinds.len() as u8).map(Kind).collect());
        Some(all.into_iter().filter(|kind| !never.contains(kind)).collect())
    }

    /// Returns each kind once, even if the list repeats it.
    fn kind_list<'c>(&self, codes: impl IntoIterator<Item = &'c At<String>>) -> Vec<Kind> {
        let mut seen = BTreeSet::new();
        codes.into_iter().map(|code| self.kind(code)).filter(|kind| seen.insert(*kind)).collect()
    }

    fn effects(&self, effects: &[At<model::Effect>]) -> Vec<Effect> {
        effects.iter().map(|effect| self.effect(effect)).collect()
    }

    fn effect(&self, effect: &model::Effect) -> Effect {
        match effect {
            model::Effect::CaptureMarked { state } => Effect::CaptureMarked(self.flags[state.as_str()]),
            model::Effect::SetState { state, duration, .. } => Effect::SetFlag {
                flag: self.flags[state.as_str()],
                duration: duration.as_ref().map(|duration| **duration as u32),
            },
            model::Effect::Capture { target } => Effect::Capture(offset(**target)),
            model::Effect::Move { piece, from, to } => Effect::Relocate {
                kind: piece.as_ref().map(|code| self.kind(code)),
                from: offset(**from),
                to: offset(**to),
            },
            model::Effect::Drop { piece, target } => Effect::Drop {
                kind: self.kind(piece),
                at: target.as_ref().map_or(Offset::new(0, 0), |target| offset(**target)),
            },
        }
    }
}

fn leg_plan(leg: &model::LegSpec) -> LegPlan {
    let on = leg.state.as_ref().map_or(model::Occupancy::Empty, |state| **state);
    LegPlan::new(offset(*leg.step), on.into(), leg.captures.as_ref().is_some_and(|captures| **captures))
}

/// Returns every flag that is set or tested, in order of first use.
fn flag_names(spec: &GameSpec) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut add = |name: &str| {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    };
    for plan in spec.every_move() {
        for effect in plan.all_effects() {
            if let Some(state) = effect.flag() {
                add(state);
            }
        }
        plan.all_conditions().filter_map(|condition| condition.flag()).for_each(|name| add(name));
    }
    spec.game_conditions().into_iter().filter_map(|it| it.flag()).for_each(|name| add(name));
    names
}

/// Iterates over the squares that a flag marks, relative to the square of the piece. In a valid game all are equal.
fn marks_of<'a>(spec: &'a GameSpec, flag: &'a str) -> impl Iterator<Item = Coord> + 'a {
    let plans = spec.every_move();
    plans.flat_map(move |plan| {
        let landing = only_landing(plan);
        plan.all_effects().filter_map(move |effect| match &**effect {
            model::Effect::SetState { state, square: Some(square), .. } if **state == flag => {
                square.minus(landing?)
            }
            _ => None,
        })
    })
}

fn regions(spec: &GameSpec) -> Vec<RegionPlan> {
    let size = *spec.board.dimensions;
    let regions = spec.conditions.iter().filter_map(|condition| match &**condition {
        GlobalCondition::Position { code, check } => Some((code, check)),
        GlobalCondition::State { .. } => None,
    });
    regions
        .map(|(code, check)| {
            // A neutral player may be left out.
            let listed = |name: &str| check.get(name).into_iter().flat_map(|list| list.iter());
            let part = |name: &str| listed(name).map(|at| square(**at, size)).collect();
            RegionPlan::new(code.to_string(), spec.players.iter().map(|player| part(&player.name)).collect())
        })
        .collect()
}
