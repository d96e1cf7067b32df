//! The implementations of move generation. All give the same answers at different speeds.

/// An implementation of move generation. The engine selects the best one; tests and benchmarks compare them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// For every game and position.
    General,
    /// For two players with at most one leader each and moves of known forms, on up to 128 squares.
    Scalar,
    /// Like `Scalar` for usual games on up to 64 squares: all directions of a position at once (AVX-512).
    Vector,
    /// Like `Scalar` for usual games on up to 64 squares: counts the last move of eight positions at once (AVX-512).
    Batch,
}

impl Backend {
    /// All backends.
    pub const ALL: [Backend; 4] = [Backend::General, Backend::Scalar, Backend::Vector, Backend::Batch];
}
