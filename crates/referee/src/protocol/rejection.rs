//! The rules that an answer can break, each with a stable word, and the rejection of an answer by one of them.

use std::fmt;

use tabiya_engine::blueprint::{Condition, Effect, MovePlan};
use tabiya_engine::{IllegalMove, Kind, Move, Offset, Player, Position, Rules, Spot, Square};
use tabiya_notation::{explain_illegal_move, text_target, uci, way};

use crate::{Game, IllegalAction};

/// A rule that an answer can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// An answer is exactly one object of the known form.
    Malformed,
    /// A player moves its own pieces.
    OwnPiece,
    /// The target does not hold a piece of the same player.
    OwnTarget,
    /// A piece moves as its rules say.
    Pattern,
    /// A piece that does not jump has a free path.
    Jump,
    /// The player's leader is not attacked after the move.
    SelfCheck,
    /// The conditions of castling hold.
    Castling,
    /// The piece captured en passant has just made its double step.
    EnPassant,
    /// A promotion names the new kind.
    PromotionMissing,
    /// A move without promotion, or to another kind, does not name this one.
    PromotionNotAllowed,
    /// If several moves lead to the same square, the piece or the number of the move chooses one.
    Ambiguous,
    /// A claim holds.
    FalseClaim,
    /// An answer needs an offer.
    NoOffer,
    /// A player makes one offer per move.
    SecondOffer,
    /// The game has draws by agreement.
    NoDrawOffers,
    /// A proposal is answered first.
    AnswerFirst,
    /// An exchange is possible and has not been proposed on this turn.
    NoExchange,
    /// The named player can take over the army.
    NoWithdrawal,
    /// The die is thrown once before each move and allows the piece to move.
    Die,
    /// The game is not over.
    GameOver,
}

/// For each rule: its word for programs, and its name at the start of a sentence.
const RULES: [(Rule, &str, &str); 20] = [
    (Rule::Malformed, "malformed", "malformed"),
    (Rule::OwnPiece, "own_piece", "own piece"),
    (Rule::OwnTarget, "own_target", "own target"),
    (Rule::Pattern, "pattern", "move pattern"),
    (Rule::Jump, "jump", "no jumping"),
    (Rule::SelfCheck, "self_check", "no self-check"),
    (Rule::Castling, "castling", "castling"),
    (Rule::EnPassant, "en_passant", "en passant"),
    (Rule::PromotionMissing, "promotion_missing", "promotion missing"),
    (Rule::PromotionNotAllowed, "promotion_not_allowed", "promotion not allowed"),
    (Rule::Ambiguous, "ambiguous", "ambiguous move"),
    (Rule::FalseClaim, "false_claim", "false claim"),
    (Rule::NoOffer, "no_offer", "no draw offer"),
    (Rule::SecondOffer, "second_offer", "second draw offer"),
    (Rule::NoDrawOffers, "no_draw_offers", "no draws by agreement"),
    (Rule::AnswerFirst, "answer_first", "answer first"),
    (Rule::NoExchange, "no_exchange", "no exchange"),
    (Rule::NoWithdrawal, "no_withdrawal", "no withdrawal"),
    (Rule::Die, "die", "die"),
    (Rule::GameOver, "game_over", "game over"),
];

impl Rule {
    /// Returns every rule.
    pub fn all() -> impl Iterator<Item = Rule> {
        RULES.into_iter().map(|(rule, ..)| rule)
    }

    /// The word that programs see.
    pub fn word(self) -> &'static str {
        RULES[self as usize].1
    }

    /// The name of the rule, which starts a sentence.
    fn name(self) -> &'static str {
        RULES[self as usize].2
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Why an answer is rejected. The game is unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedAnswer {
    /// The broken rule.
    pub rule: Rule,
    /// A sentence that starts with the rule.
    pub why: String,
    /// Whether text around the object was ignored.
    pub lenient: bool,
}

impl RejectedAnswer {
    /// Creates a rejection whose sentence starts with the rule.
    pub(super) fn new(rule: Rule, why: &str) -> Self {
        RejectedAnswer { rule, why: format!("{}: {why}", rule.name()), lenient: false }
    }

    /// Creates the rejection of an illegal action.
    pub(super) fn by_game(game: &Game, illegal: &IllegalAction) -> Self {
        let rule = match illegal {
            IllegalAction::GameOver => Rule::GameOver,
            // Parsed moves are legal; this is a fallback.
            IllegalAction::Move => Rule::Pattern,
            IllegalAction::NoSuchClaim(_)
            | IllegalAction::FalseClaim(_)
            | IllegalAction::AnnouncedMove(_) => Rule::FalseClaim,
            IllegalAction::NoOffer => Rule::NoOffer,
            IllegalAction::SecondOffer | IllegalAction::Resigned => Rule::SecondOffer,
            IllegalAction::NoDrawOffers => Rule::NoDrawOffers,
            IllegalAction::AnswerFirst => Rule::AnswerFirst,
            IllegalAction::NoExchange => Rule::NoExchange,
            IllegalAction::NoWithdrawal => Rule::NoWithdrawal,
            IllegalAction::NoThrow | IllegalAction::ThrowFirst => Rule::Die,
        };
        match (rule, game.end()) {
            (Rule::GameOver, Some(end)) => {
                RejectedAnswer::new(rule, &format!("it has ended by {}", end.reason.replace('_', " ")))
            }
            _ => RejectedAnswer::new(rule, &illegal.to_string()),
        }
    }
}

impl fmt::Display for RejectedAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for RejectedAnswer {}

/// A requested move, legal or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MoveRequest {
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) promotion: Option<Kind>,
    pub(super) id: Option<u32>,
    /// The kind of the piece that moves.
    pub(super) piece: Option<Kind>,
    /// The kind that is dropped. The source is then that of [`Move::drop`].
    pub(super) dropped: Option<Kind>,
    /// The targets of the further parts of the turn.
    pub(super) then: Option<Vec<Square>>,
}

impl MoveRequest {
    /// Returns the legal move, or the rule that the request breaks.
    pub(super) fn legal_move(&self, rules: &Rules, position: &Position) -> Result<Move, RejectedAnswer> {
        let mut fitting = rules.legal_moves(position);
        fitting.retain(|played| played.from == self.from);
        fitting.retain(|played| text_target(rules, position, *played) == self.to);
        fitting.retain(|played| self.piece.is_none_or(|kind| rules.moving_kind(position, *played) == kind));
        let objection = self.objection(rules, position)?;
        if let Some(then) = self.then.as_ref().filter(|_| !fitting.is_empty()) {
            let targets = |(played, rest): (Move, Vec<Move>)| {
                (played, rest.iter().map(|part| part.to).collect::<Vec<_>>())
            };
            let mut turns = rules.turns(position).into_iter().map(targets).filter(|(_, rest)| rest == then);
            let meant: Vec<Move> = turns.by_ref().map(|(played, _)| played).collect();
            fitting.retain(|played| meant.contains(played));
            if fitting.is_empty() {
                return Err(objection.refuse(&IllegalMove::Turn));
            }
        }
        if fitting.is_empty() {
            let why = match self.dropped {
                Some(kind) => rules.why_no_drop(position, kind, self.to),
                None => rules.why_illegal_by(position, objection.spot, self.to),
            };
            return Err(objection.refuse(&why));
        }
        // Where one move leads, the number is not needed.
        let is_other = |played: &Move| way(rules, position, *played).is_some_and(|way| Some(way) != self.id);
        if let Some(id) = self.id {
            fitting.retain(|played| !is_other(played));
            if fitting.is_empty() {
                return Err(RejectedAnswer::new(
                    Rule::Pattern,
                    &format!("no move with the id {id} leads there"),
                ));
            }
        }
        let mut chosen = fitting.iter().filter(|played| played.promotion == self.promotion);
        match (chosen.next(), chosen.next()) {
            (Some(only), None) => Ok(*only),
            (None, _) => {
                let mut options: Vec<Kind> = fitting.iter().filter_map(|played| played.promotion).collect();
                options.dedup();
                Err(objection.refuse(&IllegalMove::Promotion(options)))
            }
            (Some(one), Some(other)) => {
                let key = match (rules.has_parts(), one.guest == other.guest) {
                    (true, _) if self.then.is_none() => "then",
                    (_, true) => "id",
                    (_, false) => "piece",
                };
                let texts: Vec<String> =
                    fitting.iter().take(8).map(|played| uci(rules, position, *played)).collect();
                let more = if fitting.len() > texts.len() { ", …" } else { "" };
                let why =
                    format!("several moves lead there; add the key `{key}`: {}{more}", texts.join(", "));
                Err(RejectedAnswer::new(Rule::Ambiguous, &why))
            }
        }
    }

    /// Finds the piece that would move. The error says that there is no such piece.
    fn objection<'p>(
        &self,
        rules: &'p Rules,
        position: &'p Position,
    ) -> Result<Objection<'p>, RejectedAnswer> {
        let spot = match self.piece {
            _ if self.dropped.is_some() => Spot::host(self.from),
            None => rules.closest_mover(position, self.from, self.to),
            Some(kind) => rules.mover_on(position, self.from, kind).ok_or_else(|| {
                let (code, name) = (&rules.kind(kind).code, rules.board().name(self.from));
                RejectedAnswer::new(Rule::OwnPiece, &format!("there is no {code} of yours on {name}"))
            })?,
        };
        Ok(Objection { rules, position, request: self.clone(), spot })
    }
}

/// Finds the rule that a request breaks.
struct Objection<'p> {
    rules: &'p Rules,
    position: &'p Position,
    request: MoveRequest,
    /// Where the piece stands.
    spot: Spot,
}

impl Objection<'_> {
    fn refuse(&self, refusal: &IllegalMove) -> RejectedAnswer {
        let MoveRequest { from, to, .. } = self.request;
        let name = |square| self.rules.board().name(square);
        let rule = self.rule(refusal);
        match (rule, refusal) {
            (Rule::Pattern, _) if from == to => {
                RejectedAnswer::new(rule, &format!("a piece cannot stay on {}", name(to)))
            }
            (Rule::OwnTarget, _) => RejectedAnswer::new(
                rule,
                &format!("your own {} stands on {}", self.code(Spot::host(to)), name(to)),
            ),
            (
                Rule::Pattern,
                IllegalMove::Condition { condition: Condition::HasFlag(..) | Condition::Marked(_), .. },
            ) if self.request.dropped.is_none() => {
                let (piece, from, to) = (self.code(self.spot), name(from), name(to));
                RejectedAnswer::new(
                    rule,
                    &format!(
                        "the {piece} goes from {from} to {to} only to capture, and there is nothing to capture"
                    ),
                )
            }
            _ => {
                let why = explain_illegal_move(self.rules, self.position, self.spot, to, refusal);
                RejectedAnswer::new(rule, &why)
            }
        }
    }

    fn rule(&self, refusal: &IllegalMove) -> Rule {
        let is_own = |square| self.position.piece(square).is_some_and(|piece| piece.player == self.mover());
        match refusal {
            IllegalMove::GameOver => Rule::GameOver,
            IllegalMove::NoPiece | IllegalMove::NotYours(_) | IllegalMove::NotInHand(_) => Rule::OwnPiece,
            // The piece on the target is the moving piece itself.
            IllegalMove::OutOfReach(_) | IllegalMove::Blocked(_) | IllegalMove::NoAction { .. }
                if self.request.from == self.request.to =>
            {
                Rule::Pattern
            }
            IllegalMove::OutOfReach(_)
            | IllegalMove::Blocked(_)
            | IllegalMove::NoAction { .. }
            | IllegalMove::NoDrop(_)
                if is_own(self.request.to) =>
            {
                Rule::OwnTarget
            }
            IllegalMove::NoAction { id, .. } if self.is_castling(*id) => Rule::Castling,
            IllegalMove::NoSuchSquare
            | IllegalMove::OutOfReach(_)
            | IllegalMove::NoAction { .. }
            | IllegalMove::NoHurdle { .. }
            | IllegalMove::TooFarBeyond { .. }
            | IllegalMove::NoDrop(_)
            | IllegalMove::Restricted
            | IllegalMove::LowPriority
            | IllegalMove::Turn
            | IllegalMove::Protected => Rule::Pattern,
            IllegalMove::NotAvailable | IllegalMove::ThrowFirst | IllegalMove::DieForbids => Rule::Die,
            IllegalMove::Blocked(_) | IllegalMove::NotAHurdle(_) => Rule::Jump,
            IllegalMove::Condition { .. } if self.request.dropped.is_some() => Rule::Pattern,
            IllegalMove::Condition { id, condition } => self.rule_of_condition(*id, condition),
            IllegalMove::EffectBlocked { .. } | IllegalMove::Castling { .. } => Rule::Castling,
            IllegalMove::LosesLeader | IllegalMove::ExposesLeader | IllegalMove::LeaderMustMove => {
                Rule::SelfCheck
            }
            IllegalMove::Promotion(options) if !options.is_empty() && self.request.promotion.is_none() => {
                Rule::PromotionMissing
            }
            IllegalMove::Promotion(_) => Rule::PromotionNotAllowed,
        }
    }

    fn rule_of_condition(&self, id: i32, condition: &Condition) -> Rule {
        match condition {
            _ if self.is_castling(id) => Rule::Castling,
            Condition::PathEmpty => Rule::Jump,
            Condition::Marked(_) => Rule::EnPassant,
            Condition::HasFlag(_, offset) if self.is_enemy_at(*offset) => Rule::EnPassant,
            _ => Rule::Pattern,
        }
    }

    fn mover(&self) -> Player {
        self.rules.mover(self.position)
    }

    fn code(&self, spot: Spot) -> &str {
        let piece = self.position.piece_at(spot);
        piece.map_or("piece", |piece| self.rules.kind(piece.kind).code.as_str())
    }

    /// Whether an opponent's piece is at an offset from the source. Otherwise the request is not an attempt at en passant.
    fn is_enemy_at(&self, offset: Offset) -> bool {
        let offset = self.rules.player(self.mover()).orientation.turn(offset);
        let square = self.rules.board().step(self.request.from, offset);
        let piece = square.and_then(|square| self.position.piece(square));
        piece.is_some_and(|piece| piece.player != self.mover())
    }

    /// Whether the move with this id relocates another piece.
    fn is_castling(&self, id: i32) -> bool {
        let Some(piece) = self.position.piece_at(self.spot) else { return false };
        let moves = |effect: &Effect| matches!(effect, Effect::Relocate { .. });
        let takes_along = |plan: &MovePlan| {
            plan.effects.iter().chain(plan.actions.iter().flat_map(|action| &action.effects)).any(moves)
        };
        self.rules.kind(piece.kind).moves.iter().any(|plan| plan.id == id && takes_along(plan))
    }
}
