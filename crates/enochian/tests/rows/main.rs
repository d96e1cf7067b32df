//! Every decision about Enochian chess, D1 to D48, one by one and under both sets of rules: a small position in which the
//! rule acts, and one in which it almost does. Unless a test says otherwise it plays on the prototype, whose thrones are
//! d1 e1 (Blue), e8 d8 (Red), a5 a4 (Black), h4 h5 (Yellow), and whose pawns march up, left, up and right.

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
