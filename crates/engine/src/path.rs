//! The ways through the engine that give the same answers at different speeds.

/// A way to find legal moves. Callers need not choose: the best one is taken by itself. It is there for tests and
/// benchmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// For every game and position.
    General,
    /// For two players with a leader each and moves of the usual forms, on up to 128 squares.
    Scalar,
    /// The same on up to 64 squares, all directions of a position at once (AVX-512).
    Vector,
    /// The same on up to 64 squares, the last move counted for eight positions at once (AVX-512).
    Batch,
}

impl Path {
    /// Every path.
    pub const ALL: [Path; 4] = [Path::General, Path::Scalar, Path::Vector, Path::Batch];
}
