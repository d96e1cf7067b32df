//! The margins and rates of the search in one place.

/// Defines [`SearchParams`]: each number with its default.
macro_rules! search_params {
    ($($(#[$doc:meta])* $field:ident: $default:expr;)*) => {
        /// The numbers that steer which parts of the tree are searched less deeply, or skipped. Margins are in
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
    /// The greatest depth of reverse futility pruning.
    reverse_futility_depth: 8;
    /// Its margin for each ply.
    reverse_futility: 80;
    /// The greatest depth of razoring.
    razoring_depth: 3;
    /// Its margin.
    razoring: 250;
    /// Its margin for each ply squared.
    razoring_square: 120;
    /// The least depth of null moves.
    null_move_depth: 3;
    /// Their reduction in plies.
    null_move: 3;
    /// The depth that adds a ply to their reduction.
    null_move_divisor: 4;
    /// The margin above beta that adds a ply to their reduction.
    null_move_margin: 200;
    /// From this depth on, a null move that fails high is verified by a search.
    null_move_verified: 10;
    /// The depth, after reductions, below which hopeless quiet moves are skipped.
    futility_depth: 7;
    /// Their margin.
    futility: 110;
    /// Their margin for each ply.
    futility_ply: 90;
    /// The greatest depth at which late quiet moves are skipped.
    late_depth: 8;
    /// How many moves are searched at depth 0, where the evaluation improves.
    late_moves: 8;
    /// The greatest depth at which moves that lose material are skipped.
    exchange_depth: 7;
    /// What a capture may lose for each ply.
    exchange_capture: 90;
    /// What a quiet move may lose for each ply squared, twice.
    exchange_quiet: 60;
    /// The greatest depth at which quiet moves with a bad history are skipped.
    history_depth: 4;
    /// How bad the history must be, for each ply.
    history: 3000;
    /// The base of late move reductions, in hundredths of a ply.
    reduction: 60;
    /// The divisor of the product of the logarithms of depth and number, in hundredths.
    reduction_divisor: 225;
    /// The history that changes the reduction by a ply.
    reduction_history: 8000;
    /// The least depth of singular extensions.
    singular_depth: 7;
    /// Their margin for each ply, in sixteenths.
    singular: 24;
    /// The further margin for a second ply.
    singular_double: 25;
    /// The least depth of internal iterative reductions.
    internal_depth: 4;
    /// What a capture in quiescence search may gain beyond its victim.
    delta: 150;
    /// How far the mobility of a side may be out of date.
    mobility: 60;
}
