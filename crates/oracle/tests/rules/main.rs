//! The rules of the format, one by one: for each a small game in which it acts, and one in which it almost does.
//! The expectations are written down by hand, because nothing else may judge the judge.

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
