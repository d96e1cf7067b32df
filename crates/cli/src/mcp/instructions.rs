//! What a model is told before it begins.

use super::Terms;

/// The instructions under these terms.
pub(super) fn text(terms: Terms) -> String {
    let fault = match terms.retries {
        0 => "loses the game at once, so look twice".to_owned(),
        1 => "is refused once on each move, with the rule that it breaks; the next one loses".to_owned(),
        many => {
            format!("is refused {many} times on each move, with the rule that it breaks; the next one loses")
        }
    };
    let listing = if terms.legal_moves {
        "legal_moves lists what can be played."
    } else {
        "There is no list of legal moves: find them from the rules."
    };
    format!(
        "Tabiya plays and referees chess, and any other game of its family whose rules are one JSON file.\n\
         \n\
         1. list_games tells which games there are, and rules how one is played. new_game begins one, of the \
         library or of your own, and gives its id.\n\
         2. submit plays for the side to move, whichever that is: one JSON object of the agent protocol. \
         {listing} An illegal or malformed output {fault}.\n\
         3. play_reply lets a built-in player move for the side to move, so that you have an opponent.\n\
         4. state shows the board and all that a player may know; history gives the moves and a PGN.\n\
         \n\
         offer_draw, claim_draw and resign do what submit does with those actions. An offered draw is answered \
         by submitting {{\"action\":\"accept_draw\"}} or {{\"action\":\"decline_draw\"}}, or declined by a move. \
         Checkmate, stalemate and the draws that need no claim are found without you.\n\
         Every answer is there twice: in words, and as structured content. A wrong argument changes nothing, \
         and the error says which one it is and why."
    )
}
