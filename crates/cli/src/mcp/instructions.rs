//! The instructions for a model.

use super::McpOptions;

/// Returns the instructions for these options.
pub(super) fn text(options: McpOptions) -> String {
    let fault = match options.retries {
        0 => "loses the game at once".to_owned(),
        1 => "is rejected once per move, with the rule that it breaks; the next one loses".to_owned(),
        many => {
            format!("is rejected {many} times per move, with the rule that it breaks; the next one loses")
        }
    };
    let listing = if options.legal_moves {
        "legal_moves lists what can be played."
    } else {
        "There is no list of legal moves: find them from the rules."
    };
    format!(
        "Tabiya plays and referees chess, and any other game of its family whose rules are one JSON file.\n\
         \n\
         1. list_games lists the games, and rules describes one. new_game starts a game of the library or a \
         custom one and returns its id.\n\
         2. submit plays for the side to move: one JSON object of the agent protocol. \
         {listing} An illegal or malformed output {fault}.\n\
         3. play_reply lets a built-in player move for the side to move, so that you have an opponent.\n\
         4. state shows the board and everything that a player may know; history returns the moves and a PGN.\n\
         \n\
         offer_draw, claim_draw and resign do what submit does with those actions. Answer a draw offer \
         by submitting {{\"action\":\"accept_draw\"}} or {{\"action\":\"decline_draw\"}}; a move declines it. \
         Checkmate, stalemate and draws without a claim are detected automatically.\n\
         Every answer comes as text and as structured content. An invalid argument has no effect, \
         and the error names it and the reason."
    )
}
