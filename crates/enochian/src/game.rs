//! A game of Enochian chess.

use std::sync::Arc;

use serde_json::Value;
use tabiya_engine::{Die, Exchange, IllegalMove, Move, Outcome, Position, Rules, Spot, Square};
use tabiya_notation::{MoveError, State, fen, parse_uci};
use tabiya_spec::{Choices, library};

use crate::army::{Army, DiagonalSystem, PieceKind};
use crate::array::{ArraySpec, TABLET_OF_FIRE_PROTOTYPE};
use crate::layout::layout_json;

/// A rule set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RuleSet {
    /// The rules document.
    #[default]
    Document,
    /// The historical game, after Zalewski.
    Zalewski,
}

impl RuleSet {
    pub(crate) const ALL: [RuleSet; 2] = [RuleSet::Document, RuleSet::Zalewski];

    pub(crate) fn preset(self) -> &'static str {
        match self {
            RuleSet::Document => "document",
            RuleSet::Zalewski => "zalewski",
        }
    }
}

/// Why a game cannot be created, one sentence per problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameError(pub Vec<String>);

tabiya_engine::error_messages! { GameError:
    GameError(problems) => "{}", problems.join("; ");
}

/// The condition of an army.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Whether its king is attacked.
    pub in_check: bool,
    /// Whether the army is frozen.
    pub frozen: bool,
    /// The army that has captured its king.
    pub captor: Option<Army>,
    /// The army whose player controls it.
    pub controller: Option<Army>,
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Arc<Rules>,
    position: Position,
    /// Turns since the last capture, pawn move or exchange.
    quiet: u32,
    /// The armies of each person.
    controller_map: Vec<Vec<Army>>,
}

impl Default for Game {
    /// Returns a game with the prototype of the Tablet of Fire under the rules document.
    fn default() -> Self {
        Game::from_array_spec(&TABLET_OF_FIRE_PROTOTYPE).expect("the prototype is valid")
    }
}

impl Game {
    /// Starts a game from an array under the rules document.
    ///
    /// # Errors
    ///
    /// Returns everything that makes the array unplayable.
    pub fn from_array_spec(array: &ArraySpec) -> Result<Game, GameError> {
        Game::with_rules(array, RuleSet::Document, &[])
    }

    /// Starts a game from an array under a rule set with options (listed in `games/enochian.json`). If a person has two
    /// armies, kings that one of them captures can be exchanged by the other (`CAPTOR=TEAM`, unless the options say
    /// otherwise).
    ///
    /// # Errors
    ///
    /// Returns everything that makes the game unplayable, for example a missing king or an unknown option.
    pub fn with_rules(
        array: &ArraySpec,
        rules: RuleSet,
        options: &[(&str, &str)],
    ) -> Result<Game, GameError> {
        const NAME: &str = "this array";
        let problems = array.problems();
        if !problems.is_empty() {
            return Err(GameError(problems));
        }
        let entry = library::find("enochian")
            .ok_or_else(|| GameError(vec!["the library has no Enochian chess".into()]))?;
        let is_by_team = array.controller_map.iter().all(|armies| armies.len() > 1);
        let captor = is_by_team.then_some(("CAPTOR", "TEAM"));
        let options = captor.iter().chain(options);
        let mut file: Value =
            serde_json::from_str(entry.json).map_err(|error| GameError(vec![error.to_string()]))?;
        file["layouts"] = Value::Object([(NAME.to_owned(), layout_json(array))].into_iter().collect());
        let choices = Choices {
            layout: Some(NAME.to_owned()),
            preset: Some(rules.preset().to_owned()),
            options: options.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        };
        let loaded = tabiya_spec::load_with(file.to_string().as_bytes(), &choices);
        let Some(game) = loaded.game else {
            return Err(GameError(loaded.diagnostics.into_iter().map(|it| it.message).collect()));
        };
        let position = game.rules.start();
        Ok(Game { rules: game.rules, position, quiet: 0, controller_map: array.controller_map.clone() })
    }

    /// Returns the compiled rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the army to move, or `None` if the game is over.
    pub fn army_to_move(&self) -> Option<Army> {
        match self.outcome() {
            Some(_) => None,
            None => Army::of(self.rules.mover(&self.position)),
        }
    }

    /// Returns the army whose player chooses the next move.
    pub fn decider(&self) -> Option<Army> {
        Army::of(self.rules.decider(&self.position, self.army_to_move()?.player()))
    }

    /// Returns the person who chooses the next move, as an index into the array's `controller_map`.
    pub fn person_to_move(&self) -> Option<usize> {
        let decider = self.decider()?;
        self.controller_map.iter().position(|armies| armies.contains(&decider))
    }

    /// Returns the turns since the last capture, pawn move or exchange.
    pub fn quiet_turns(&self) -> u32 {
        self.quiet
    }

    /// Returns the diagonal system of the bishop or queen on a square, by its name in the rule set.
    pub fn diagonal_system(&self, square: u8) -> Option<DiagonalSystem> {
        let tag = &self.rules.mechanics().tag.as_ref()?.values;
        let square = Square(square.into());
        let value = [Spot::host(square), Spot::guest(square)]
            .into_iter()
            .filter(|spot| self.rules.board().has(spot.square) && self.position.piece_at(*spot).is_some())
            .find_map(|spot| self.position.tag(spot))?;
        DiagonalSystem::named(&tag.get(usize::from(value))?.to_lowercase())
    }

    /// Returns the condition of an army.
    pub fn status(&self, army: Army) -> Status {
        let player = army.player();
        Status {
            in_check: self.rules.in_check(&self.position, player),
            frozen: self.position.frozen().contains(player),
            captor: self.position.captor(player).and_then(Army::of),
            controller: self.position.controller(player).and_then(Army::of),
        }
    }

    /// Returns the outcome if the game is over. The limit of quiet turns is included.
    pub fn outcome(&self) -> Option<Outcome> {
        self.rules.outcome_with_quiet(&self.position, self.quiet)
    }

    /// Returns the legal moves of the army to move. In a divination there are none before the die is thrown.
    pub fn legal_moves(&self) -> Vec<Move> {
        if self.outcome().is_some() { Vec::new() } else { self.rules.legal_moves(&self.position) }
    }

    /// Writes a move with the letter of the piece, both squares and the promotion: `Ke1d1`, `Pa7a8=queen`.
    pub fn move_text(&self, played: Move) -> String {
        let board = self.rules.board();
        let code = &self.rules.kind(self.rules.moving_kind(&self.position, played)).code;
        let kind = PieceKind::named(&code.to_lowercase()).unwrap_or(PieceKind::Pawn);
        let becomes = played.promotion.map(|kind| format!("={}", self.rules.kind(kind).code.to_lowercase()));
        let (from, to) = (board.name(played.from), board.name(played.to));
        format!("{}{from}{to}{}", kind.letter(), becomes.unwrap_or_default())
    }

    /// Plays a move, written as by [`Game::move_text`] or in UCI notation.
    ///
    /// # Errors
    ///
    /// Returns why the text is not a legal move. The game is then unchanged.
    pub fn play(&mut self, text: &str) -> Result<(), MoveError> {
        if self.outcome().is_some() {
            let message = "the game is over".to_owned();
            return Err(MoveError::Illegal { reason: IllegalMove::GameOver, message });
        }
        let named = self.legal_moves().into_iter().find(|played| self.move_text(*played) == text.trim());
        let played = match named {
            Some(played) => played,
            None => parse_uci(&self.rules, &self.position, text)?,
        };
        let next = self.rules.play_unchecked(&self.position, played);
        let kind = self.rules.moving_kind(&self.position, played);
        self.quiet = if self.rules.is_zeroing(&self.position, kind, &next) { 0 } else { self.quiet + 1 };
        self.position = next;
        Ok(())
    }

    /// Returns the state of the die in a divination.
    pub fn die(&self) -> Option<Die> {
        self.rules.die(&self.position)
    }

    /// Throws the die and returns whether a throw was due.
    pub fn throw(&mut self, face: u8) -> bool {
        if self.outcome().is_some() {
            return false;
        }
        let Some(next) = self.rules.throw(&self.position, face) else { return false };
        // A turn that passes because nothing can move is a quiet turn.
        let is_last = matches!(self.die(), Some(Die::Awaited(1)));
        let passes = is_last && !matches!(self.rules.die(&next), Some(Die::Shows(_)));
        self.quiet += u32::from(passes);
        self.position = next;
        true
    }

    /// Returns the exchange of prisoners that may be proposed now.
    pub fn exchange(&self) -> Option<Exchange> {
        if self.outcome().is_some() { None } else { self.rules.exchange(&self.position) }
    }

    /// Carries out the exchange of prisoners and returns whether there was one.
    pub fn accept_exchange(&mut self) -> bool {
        let Some(next) = self.exchange().and_then(|_| self.rules.play_exchange(&self.position)) else {
            return false;
        };
        self.quiet = 0;
        self.position = next;
        true
    }

    /// Returns the position as FEN.
    pub fn fen(&self) -> String {
        fen(&self.rules, &State { quiet: self.quiet, ..State::new(self.position.clone()) })
    }
}
