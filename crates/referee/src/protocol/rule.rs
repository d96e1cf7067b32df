//! The rules that an output may break, each with a stable word, and how a refusal of the engine becomes one of them.

use std::fmt;

use tabiya_engine::blueprint::{Condition, Effect, MovePlan};
use tabiya_engine::{IllegalMove, Kind, Move, Offset, Player, Position, Rules, Square};
use tabiya_notation::{explain_illegal_move, uci};

use crate::{Game, Illegal};

/// A rule that an output may break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// The output is not exactly one object of a known form.
    Malformed,
    /// The piece that moves is there, and is one's own.
    OwnPiece,
    /// No piece of one's own stands on the target.
    OwnTarget,
    /// The piece moves like that.
    Pattern,
    /// Nothing stands in the way of a piece that does not jump.
    Jump,
    /// One's own leader does not stand attacked after the move.
    SelfCheck,
    /// The conditions of castling hold.
    Castling,
    /// The piece that is taken in passing has just passed.
    EnPassant,
    /// A piece that is promoted says to what.
    PromotionMissing,
    /// A piece that is not promoted, or not to that, says nothing of the kind.
    PromotionNotAllowed,
    /// Where several moves lead to the same square, the id says which.
    Ambiguous,
    /// What is claimed holds.
    FalseClaim,
    /// Only an offer that stands can be answered.
    NoOffer,
    /// One offer may be made on a move.
    SecondOffer,
    /// Draws are agreed on in this game.
    NoDrawOffers,
    /// A proposal that stands is answered before anything else.
    AnswerFirst,
    /// Captured leaders can be exchanged now, and it was not proposed on this turn before.
    NoExchange,
    /// The army can be handed over to that player.
    NoWithdrawal,
    /// The die is thrown once before each move, and allows the piece to move.
    Die,
    /// The game is not over.
    GameOver,
}

impl Rule {
    /// Every rule.
    pub const ALL: [Rule; 20] = [
        Rule::Malformed,
        Rule::OwnPiece,
        Rule::OwnTarget,
        Rule::Pattern,
        Rule::Jump,
        Rule::SelfCheck,
        Rule::Castling,
        Rule::EnPassant,
        Rule::PromotionMissing,
        Rule::PromotionNotAllowed,
        Rule::Ambiguous,
        Rule::FalseClaim,
        Rule::NoOffer,
        Rule::SecondOffer,
        Rule::NoDrawOffers,
        Rule::AnswerFirst,
        Rule::NoExchange,
        Rule::NoWithdrawal,
        Rule::Die,
        Rule::GameOver,
    ];

    /// The word that programs see.
    pub fn word(self) -> &'static str {
        match self {
            Rule::Malformed => "malformed",
            Rule::OwnPiece => "own_piece",
            Rule::OwnTarget => "own_target",
            Rule::Pattern => "pattern",
            Rule::Jump => "jump",
            Rule::SelfCheck => "self_check",
            Rule::Castling => "castling",
            Rule::EnPassant => "en_passant",
            Rule::PromotionMissing => "promotion_missing",
            Rule::PromotionNotAllowed => "promotion_not_allowed",
            Rule::Ambiguous => "ambiguous",
            Rule::FalseClaim => "false_claim",
            Rule::NoOffer => "no_offer",
            Rule::SecondOffer => "second_offer",
            Rule::NoDrawOffers => "no_draw_offers",
            Rule::AnswerFirst => "answer_first",
            Rule::NoExchange => "no_exchange",
            Rule::NoWithdrawal => "no_withdrawal",
            Rule::Die => "die",
            Rule::GameOver => "game_over",
        }
    }

    /// The rule for people, at the head of a sentence.
    fn name(self) -> &'static str {
        match self {
            Rule::Malformed => "malformed",
            Rule::OwnPiece => "own piece",
            Rule::OwnTarget => "own target",
            Rule::Pattern => "move pattern",
            Rule::Jump => "no jumping",
            Rule::SelfCheck => "no self-check",
            Rule::Castling => "castling",
            Rule::EnPassant => "en passant",
            Rule::PromotionMissing => "promotion missing",
            Rule::PromotionNotAllowed => "promotion not allowed",
            Rule::Ambiguous => "ambiguous move",
            Rule::FalseClaim => "false claim",
            Rule::NoOffer => "no draw offer",
            Rule::SecondOffer => "second draw offer",
            Rule::NoDrawOffers => "no draws by agreement",
            Rule::AnswerFirst => "answer first",
            Rule::NoExchange => "no exchange",
            Rule::NoWithdrawal => "no withdrawal",
            Rule::Die => "die",
            Rule::GameOver => "game over",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Why an output is not accepted. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The rule that it broke.
    pub rule: Rule,
    /// One sentence that names it.
    pub why: String,
    /// Whether other text around the object was forgiven.
    pub lenient: bool,
}

impl Refused {
    /// A sentence that begins with the rule.
    pub(super) fn new(rule: Rule, why: &str) -> Self {
        Refused { rule, why: format!("{}: {why}", rule.name()), lenient: false }
    }

    /// For an act that the game does not allow.
    pub(super) fn by_game(game: &Game, illegal: &Illegal) -> Self {
        let rule = match illegal {
            Illegal::GameOver => Rule::GameOver,
            // What becomes an act is legal; if it is not after all, the pattern is the rule of last resort.
            Illegal::Move => Rule::Pattern,
            Illegal::NoSuchClaim(_) | Illegal::FalseClaim(_) | Illegal::AnnouncedMove(_) => Rule::FalseClaim,
            Illegal::NoOffer => Rule::NoOffer,
            Illegal::SecondOffer | Illegal::Resigned => Rule::SecondOffer,
            Illegal::NoDrawOffers => Rule::NoDrawOffers,
            Illegal::AnswerFirst => Rule::AnswerFirst,
            Illegal::NoExchange => Rule::NoExchange,
            Illegal::NoWithdrawal => Rule::NoWithdrawal,
            Illegal::NoThrow | Illegal::ThrowFirst => Rule::Die,
        };
        match (rule, game.end()) {
            (Rule::GameOver, Some(end)) => {
                Refused::new(rule, &format!("it has ended by {}", end.reason.replace('_', " ")))
            }
            _ => Refused::new(rule, &illegal.to_string()),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Refused {}

/// A move as somebody asks for it: legal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wish {
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) promotion: Option<Kind>,
    pub(super) id: Option<i32>,
}

impl Wish {
    /// The legal move that it is, or the rule against it.
    pub(super) fn grant(&self, rules: &Rules, position: &Position) -> Result<Move, Refused> {
        let mut fitting = rules.legal_moves(position);
        fitting.retain(|played| (played.from, played.to) == (self.from, self.to));
        if fitting.is_empty() {
            let refusal = rules.why_illegal(position, self.from, self.to);
            return Err(Objection { rules, position, wish: *self }.refuse(&refusal));
        }
        if let Some(id) = self.id {
            fitting.retain(|played| rules.move_id(position, *played) == id);
            if fitting.is_empty() {
                return Err(Refused::new(Rule::Pattern, &format!("no move with the id {id} leads there")));
            }
        }
        let mut chosen = fitting.iter().filter(|played| played.promotion == self.promotion);
        match (chosen.next(), chosen.next()) {
            (Some(only), None) => Ok(*only),
            (None, _) => {
                let mut options: Vec<Kind> = fitting.iter().filter_map(|played| played.promotion).collect();
                options.dedup();
                Err(Objection { rules, position, wish: *self }.refuse(&IllegalMove::Promotion(options)))
            }
            (Some(_), Some(_)) => {
                let texts: Vec<String> = fitting.iter().map(|played| uci(rules, position, *played)).collect();
                let why = format!(
                    "several moves lead there, and only their id tells them apart: {}",
                    texts.join(", ")
                );
                Err(Refused::new(Rule::Ambiguous, &why))
            }
        }
    }
}

/// What speaks against a wish.
struct Objection<'p> {
    rules: &'p Rules,
    position: &'p Position,
    wish: Wish,
}

impl Objection<'_> {
    fn refuse(&self, refusal: &IllegalMove) -> Refused {
        let Wish { from, to, .. } = self.wish;
        let name = |square| self.rules.board().name(square);
        let rule = self.rule(refusal);
        match (rule, refusal) {
            (Rule::Pattern, _) if from == to => {
                Refused::new(rule, &format!("to stay on {} is no move", name(to)))
            }
            (Rule::OwnTarget, _) => {
                Refused::new(rule, &format!("your own {} stands on {}", self.code(to), name(to)))
            }
            (Rule::Pattern, IllegalMove::Condition { condition: Condition::HasFlag(..), .. }) => {
                let (piece, from, to) = (self.code(from), name(from), name(to));
                Refused::new(
                    rule,
                    &format!(
                        "the {piece} goes from {from} to {to} only to capture, and nothing is there to be captured"
                    ),
                )
            }
            _ => Refused::new(rule, &explain_illegal_move(self.rules, self.position, from, to, refusal)),
        }
    }

    fn rule(&self, refusal: &IllegalMove) -> Rule {
        let is_own = |square| self.position.piece(square).is_some_and(|piece| piece.player == self.mover());
        match refusal {
            IllegalMove::GameOver => Rule::GameOver,
            IllegalMove::NoPiece | IllegalMove::NotYours(_) => Rule::OwnPiece,
            // What stands on the target is then the piece itself.
            IllegalMove::OutOfReach(_) | IllegalMove::Blocked(_) | IllegalMove::NoAction { .. }
                if self.wish.from == self.wish.to =>
            {
                Rule::Pattern
            }
            IllegalMove::OutOfReach(_) | IllegalMove::Blocked(_) | IllegalMove::NoAction { .. }
                if is_own(self.wish.to) =>
            {
                Rule::OwnTarget
            }
            IllegalMove::NoAction { id, .. } if self.is_castling(*id) => Rule::Castling,
            IllegalMove::NoSuchSquare
            | IllegalMove::OutOfReach(_)
            | IllegalMove::NoAction { .. }
            | IllegalMove::Protected => Rule::Pattern,
            IllegalMove::NotAvailable | IllegalMove::ThrowFirst | IllegalMove::DieForbids => Rule::Die,
            IllegalMove::Blocked(_) => Rule::Jump,
            IllegalMove::Condition { id, condition } => self.rule_of_condition(*id, condition),
            IllegalMove::EffectBlocked { .. } => Rule::Castling,
            IllegalMove::LosesLeader | IllegalMove::ExposesLeader | IllegalMove::LeaderMustMove => {
                Rule::SelfCheck
            }
            IllegalMove::Promotion(options) if !options.is_empty() && self.wish.promotion.is_none() => {
                Rule::PromotionMissing
            }
            IllegalMove::Promotion(_) => Rule::PromotionNotAllowed,
        }
    }

    fn rule_of_condition(&self, id: i32, condition: &Condition) -> Rule {
        match condition {
            _ if self.is_castling(id) => Rule::Castling,
            Condition::PathEmpty => Rule::Jump,
            Condition::HasFlag(_, offset) if self.is_enemy_at(*offset) => Rule::EnPassant,
            _ => Rule::Pattern,
        }
    }

    fn mover(&self) -> Player {
        self.rules.mover(self.position)
    }

    fn code(&self, square: Square) -> &str {
        let piece = self.position.piece(square);
        piece.map_or("piece", |piece| self.rules.kind(piece.kind).code.as_str())
    }

    /// Whether an opponent's piece stands at a neutral offset from the source: without one, nobody can have thought of
    /// taking it in passing.
    fn is_enemy_at(&self, offset: Offset) -> bool {
        let offset = self.rules.player(self.mover()).orientation.turn(offset);
        let square = self.rules.board().step(self.wish.from, offset);
        let piece = square.and_then(|square| self.position.piece(square));
        piece.is_some_and(|piece| piece.player != self.mover())
    }

    /// Whether the piece's move of that number takes another piece along.
    fn is_castling(&self, id: i32) -> bool {
        let Some(piece) = self.position.piece(self.wish.from) else { return false };
        let moves = |effect: &Effect| matches!(effect, Effect::Relocate { .. });
        let takes_along = |plan: &MovePlan| {
            plan.effects.iter().chain(plan.actions.iter().flat_map(|action| &action.effects)).any(moves)
        };
        self.rules.kind(piece.kind).moves.iter().any(|plan| plan.id == id && takes_along(plan))
    }
}
