//! The rules of the format, one by one: a small game in which each applies, and one in which it almost does. Expectations
//! are written by hand, because nothing else may check the oracle.

mod attacks;
mod chess;
mod conditions;
mod effects;
mod endings;
mod flags;
mod game;
mod identity;
mod legality;
mod listed;
mod mechanics;
mod merging;
mod patterns;
mod promotion;
mod squares;
mod table;
mod unmoved;
