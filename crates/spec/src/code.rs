//! The names of all faults. A name is stable: programs rely on it, and `docs/diagnostics.md` explains it.

use std::fmt;

use crate::diagnostic::Severity;

macro_rules! codes {
    ($($severity:ident { $($variant:ident = $name:literal,)* })*) => {
        /// The stable name of a kind of fault.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "docs/diagnostics.md documents each, and a test sees to it")]
        pub enum Code { $($($variant,)*)* }

        impl Code {
            /// Every code there is.
            pub const ALL: &'static [Code] = &[$($(Code::$variant,)*)*];

            /// The name, as programs see it.
            pub fn as_str(self) -> &'static str {
                match self { $($(Code::$variant => $name,)*)* }
            }

            /// Error or warning.
            pub fn severity(self) -> Severity {
                match self { $($(Code::$variant => Severity::$severity,)*)* }
            }
        }
    };
}

codes! {
    Error {
        // The file as text and as JSON.
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
        // Board and set-up.
        BoardSize = "board-size",
        NoSquares = "no-squares",
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
        // What follows from a move elsewhere.
        ImpossibleFigure = "impossible-figure",
        // What a file lets choose.
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
}

impl Code {
    /// The code of that name.
    pub fn find(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.as_str() == name)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
