//! The margins and rates of the search in one place.

/// Defines [`SearchParams`]: each number with its default.
macro_rules! search_params {
    ($($(#[$doc:meta])* $field:ident: $default:expr;)*) => {
        /// The numbers that steer which parts of the tree are searched less deeply or not at all. Margins are in
        /// centipawns.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct SearchParams {
            $($(#[$doc])* pub $field: i32,)*
        }

        impl Default for SearchParams {
            fn default() -> Self {
                SearchParams::DEFAULT
            }
        }

        impl SearchParams {
            /// The numbers that searches use unless others are given.
            pub const DEFAULT: SearchParams = SearchParams { $($field: $default,)* };

            /// Returns every number with its name, so that a program can tune them.
            pub fn named(&mut self) -> Vec<(&'static str, &mut i32)> {
                vec![$((stringify!($field), &mut self.$field),)*]
            }
        }
    };
}

search_params! {
    /// Half the width of the first aspiration window.
    aspiration: 18;
    /// Reverse futility pruning: the greatest depth, and the margin for each ply.
    reverse_futility_depth: 8;
    reverse_futility: 80;
    /// Razoring: the greatest depth, the margin, and the margin for each ply squared.
    razoring_depth: 3;
    razoring: 250;
    razoring_square: 120;
    /// Null move: the least depth, the reduction, the depth and the margin that reduce by one more ply.
    null_move_depth: 3;
    null_move: 3;
    null_move_divisor: 4;
    null_move_margin: 200;
    /// From this depth on, a null move that fails high is verified by a search.
    null_move_verified: 10;
    /// Futility pruning of quiet moves: the greatest depth, the margin, and the margin for each ply.
    futility_depth: 7;
    futility: 110;
    futility_ply: 90;
    /// Late move pruning: the greatest depth and the number of moves at depth 0.
    late_depth: 8;
    late_moves: 4;
    /// Pruning by exchanges: the margins for each ply, for captures and for quiet moves.
    exchange_depth: 7;
    exchange_capture: 90;
    exchange_quiet: 60;
    /// Pruning by history: the greatest depth and the score for each ply.
    history_depth: 4;
    history: 3000;
    /// Late move reductions in hundredths of a ply: the base, the divisor of the logarithms, and the history that changes
    /// the reduction by one ply.
    reduction: 60;
    reduction_divisor: 225;
    reduction_history: 8000;
    /// Singular extensions: the least depth, the margin for each ply in sixteenths, and the margin for a second extension.
    singular_depth: 7;
    singular: 24;
    singular_double: 25;
    /// Internal iterative reductions: the least depth.
    internal_depth: 4;
    /// Quiescence: what a capture may gain beyond its victim, and how far mobility may be out of date.
    delta: 150;
    mobility: 60;
    /// The share of the correction history, in 256ths of its value.
    correction: 64;
}
