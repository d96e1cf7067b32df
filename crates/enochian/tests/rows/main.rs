//! Every decision about Enochian chess, D1 to D48, under both rule sets: a small position in which the rule applies, and
//! one in which it almost does. Unless a test says otherwise it uses the prototype, with the thrones d1 e1 (Blue), e8 d8
//! (Red), a5 a4 (Black), h4 h5 (Yellow) and pawns that move up, left, up and right.

mod arrays;
mod capture;
mod check;
mod concourse;
mod control;
mod dice;
mod ends;
mod exchange;
mod promotion;
mod ptah;
mod table;
mod thrones;
mod turns;
