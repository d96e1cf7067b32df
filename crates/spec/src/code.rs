//! The codes of all diagnostics. Codes are stable: programs rely on them, and `docs/diagnostics.md` explains each.

use std::fmt;

use crate::diagnostic::Severity;

macro_rules! codes {
    ($($severity:ident { $($variant:ident = $name:literal,)* })*) => {
        /// The stable name of a kind of problem.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "a test checks that docs/diagnostics.md documents each code")]
        pub enum Code { $($($variant,)*)* }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Code] = &[$($(Code::$variant,)*)*];

            /// Returns the name of the code, as in `zero-step`.
            pub fn as_str(self) -> &'static str {
                match self { $($(Code::$variant => $name,)*)* }
            }

            /// Returns whether the code is an error, a warning or a note.
            pub fn severity(self) -> Severity {
                match self { $($(Code::$variant => Severity::$severity,)*)* }
            }
        }
    };
}

codes! {
    Error {
        // Text and JSON.
        NotUtf8 = "not-utf8",
        FileTooLarge = "file-too-large",
        Syntax = "syntax",
        TooDeep = "too-deep",
        UnknownKey = "unknown-key",
        DuplicateKey = "duplicate-key",
        MissingKey = "missing-key",
        Mistyped = "mistyped",
        UnknownWord = "unknown-word",
        NumberOutOfRange = "number-out-of-range",
        EmptyList = "empty-list",
        EmptyName = "empty-name",
        TooMany = "too-many",
        // Short forms.
        BadExtends = "bad-extends",
        BadSquares = "bad-squares",
        BadSetup = "bad-setup",
        BadBetza = "bad-betza",
        LikeCycle = "like-cycle",
        // Board and setup.
        BoardSize = "board-size",
        NoSquares = "no-squares",
        BadBoard = "bad-board",
        BadLink = "bad-link",
        AmbiguousLine = "ambiguous-line",
        SquareOffBoard = "square-off-board",
        SquareDisabled = "square-disabled",
        SquareTaken = "square-taken",
        UnknownPiece = "unknown-piece",
        // Players and turns.
        DuplicatePlayer = "duplicate-player",
        BadDirection = "bad-direction",
        UnknownPlayer = "unknown-player",
        StartAtOutOfRange = "start-at-out-of-range",
        DuplicateTeam = "duplicate-team",
        TooFewTeams = "too-few-teams",
        // Global conditions.
        DuplicateCondition = "duplicate-condition",
        ShadowedWord = "shadowed-word",
        PlayerLeftOut = "player-left-out",
        UnknownCondition = "unknown-condition",
        StateCondition = "state-condition",
        MisplacedCondition = "misplaced-condition",
        // Pieces.
        DuplicatePiece = "duplicate-piece",
        BadLetter = "bad-letter",
        LetterClash = "letter-clash",
        NeedsLeader = "needs-leader",
        BadTag = "bad-tag",
        UnknownTag = "unknown-tag",
        // Moves.
        DuplicateMoveId = "duplicate-move-id",
        ZeroStep = "zero-step",
        DuplicateAction = "duplicate-action",
        ImpossibleAction = "impossible-action",
        NoVictim = "no-victim",
        UnknownMove = "unknown-move",
        DependencyCycle = "dependency-cycle",
        TimesWithLoop = "times-with-loop",
        MinAboveTimes = "min-above-times",
        UnknownUntil = "unknown-until",
        NeedsHurdles = "needs-hurdles",
        TooFewSteps = "too-few-steps",
        NoHurdle = "no-hurdle",
        BadLeg = "bad-leg",
        BadPart = "bad-part",
        EmptySquareTest = "empty-square-test",
        ContradictorySquareTest = "contradictory-square-test",
        // Promotion.
        DuplicateOption = "duplicate-option",
        NotAnOption = "not-an-option",
        // Endings.
        UnboundedCount = "unbounded-count",
        MinAboveMax = "min-above-max",
        CannotStop = "cannot-stop",
        StuckOutOfPlace = "stuck-out-of-place",
        // Hands and counters.
        NoHands = "no-hands",
        UnknownCounter = "unknown-counter",
        // Triggers and neutral players.
        LeaderChanges = "leader-changes",
        NoNeutral = "no-neutral",
        NeutralPlayer = "neutral-player",
        // Flags.
        BadMark = "bad-mark",
        // Castling.
        BadCastling = "bad-castling",
        // Reactions and figures.
        ImpossibleFigure = "impossible-figure",
        // Choices.
        UnknownChoice = "unknown-choice",
    }
    Warning {
        DuplicateSquare = "duplicate-square",
        PlayerNeverMoves = "player-never-moves",
        NoLeaderAtStart = "no-leader-at-start",
        UnusedCondition = "unused-condition",
        UnusedPiece = "unused-piece",
        ImmobilePiece = "immobile-piece",
        SharedPrefix = "shared-prefix",
        StepLeavesBoard = "step-leaves-board",
        RepeatedCondition = "repeated-condition",
        FlagNeverSet = "flag-never-set",
        FlagNeverTested = "flag-never-tested",
        UnreachableModifier = "unreachable-modifier",
        PromotesToLeader = "promotes-to-leader",
        EffectGoesNowhere = "effect-goes-nowhere",
        CapturesItself = "captures-itself",
        CastlingWithoutRook = "castling-without-rook",
        ForwardFacesEdge = "forward-faces-edge",
        EndingAlwaysHolds = "ending-always-holds",
        EndingNeverHolds = "ending-never-holds",
        DuplicateEnding = "duplicate-ending",
        PointlessEnding = "pointless-ending",
        RepeatedPiece = "repeated-piece",
        NeverHappens = "never-happens",
        LeaderCanBeTaken = "leader-can-be-taken",
        AlreadyDecided = "already-decided",
    }
    Note {
        ChosenLetter = "chosen-letter",
    }
}

impl Code {
    /// Returns the code with this name.
    pub fn find(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.as_str() == name)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
