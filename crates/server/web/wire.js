// What goes over the wire, as types: the same names and fields as `crates/server/src/wire.rs`, so that a checker sees it when
// the page and the server drift apart. Nothing here runs.

/** A square: `[x, y]`, counted from 0 at the bottom left of the board as its file has it. @typedef {[number, number]} Square */

/**
 * Why something is refused. Every refusal over HTTP has this body, under a status of the 400s or 500s; over a socket it is the message `refused`.
 * @typedef {object} Refusal
 * @property {string} rule A stable word for programs, such as `not_your_turn`.
 * @property {string} why One sentence for people.
 * @property {Fault[]} [diagnostics] The faults of a spec that was sent along, if that is why.
 */

/**
 * A fault of a spec.
 * @typedef {object} Fault
 * @property {string} code Its stable name.
 * @property {string} severity `error` or `warning`.
 * @property {string} message What is wrong, in a sentence.
 * @property {string | null} help How to mend it, where that can be said.
 * @property {string} pointer JSON pointer to the value.
 * @property {number} line The line, counted from 1.
 * @property {number} column The column in characters, counted from 1.
 * @property {number} end_line Where the text that is shown ends: its line.
 * @property {number} end_column And the column after its last character.
 */

/**
 * A game of the library.
 * @typedef {object} LibraryGame
 * @property {string} name The name by which it is called: `chess`.
 * @property {string} title Its title: `Chess`.
 * @property {string} about One sentence about it.
 * @property {number} files Columns of the board.
 * @property {number} ranks Rows of the board.
 * @property {PlayerView[]} players The players, in the order of the file.
 * @property {OfferView} offer What may be chosen before the game begins.
 */

/**
 * A game of the library with its text.
 * @typedef {object} LibraryText
 * @property {string} spec The spec, as its author wrote it.
 * @property {string} rulebook The rulebook, as Markdown.
 */

/**
 * What a game lets choose.
 * @typedef {object} OfferView
 * @property {Named[]} layouts Starting arrays beside the file's own.
 * @property {PresetView[]} presets Rule sets: names for several options at once.
 * @property {OptionView[]} options Options.
 */

/**
 * Something with a name.
 * @typedef {object} Named
 * @property {string} name The name.
 * @property {string | null} about What the file says about it.
 */

/**
 * A rule set.
 * @typedef {object} PresetView
 * @property {string} name The name.
 * @property {[string, string][]} options The options that it sets, with their values.
 */

/**
 * An option.
 * @typedef {object} OptionView
 * @property {string} name The name.
 * @property {string | null} about What the file says about it.
 * @property {string[]} values Its values.
 * @property {string} default The value that it has if nobody chooses.
 */

/**
 * What is chosen of it.
 * @typedef {object} ChoiceBody
 * @property {string | null} [layout] A layout, by its name.
 * @property {string | null} [preset] A preset, by its name.
 * @property {[string, string][]} [options] Options and their values, which count more than the preset.
 */

/**
 * Who can be asked to play beside people: only what the operator of this server has named.
 * @typedef {object} Opponent
 * @property {string} who What to write in `who`: `player:level3`, `agent:stockfish`.
 * @property {string} name The name to show.
 * @property {string} kind `player` (built in) or `agent` (a program that the operator has named).
 */

/**
 * A spec to be looked at.
 * @typedef {object} SpecBody
 * @property {string} spec The spec: JSON, as text.
 * @property {ChoiceBody} [choice] What is chosen of what it leaves open.
 */

/**
 * A spec, looked at.
 * @typedef {object} Checked
 * @property {Fault[]} diagnostics Every fault, in the order of the text.
 * @property {number} left_out How many more there are than are told.
 * @property {Preview | null} game The game, if it can be played.
 */

/**
 * A game that can be played, before it is.
 * @typedef {object} Preview
 * @property {GameView} game Board, pieces and players.
 * @property {OfferView} offer What may be chosen.
 * @property {Man[]} men The men at the start.
 * @property {string} english The rules in English, as plain text with headings that are underlined with `=` and `-`.
 * @property {Diagram[]} diagrams How each kind moves on an empty board, and what it attacks.
 */

/**
 * A game of the library as it begins, to be drawn.
 * @typedef {object} LibraryBoard
 * @property {GameView} game Board, pieces and players.
 * @property {Man[]} men The men at the start.
 */

/**
 * How one kind of piece moves for the first player who has it.
 * @typedef {object} Diagram
 * @property {number} kind The kind.
 * @property {number} player The player whose piece is drawn.
 * @property {number} files Columns of the drawing.
 * @property {number} ranks Rows of the drawing.
 * @property {Square} at Where it stands.
 * @property {Square[]} goes Where it can go if nobody is in the way.
 * @property {Square[]} takes Where it can capture an enemy who stands alone on the board with it.
 */

/**
 * What does not change while a game is played.
 * @typedef {object} GameView
 * @property {string | null} library Its name in the library, if it is one of those.
 * @property {string} title Its title.
 * @property {string | null} about One sentence about it, if its file has one.
 * @property {string | null} layout The starting array, if it is not the file's own.
 * @property {[string, string][]} options The options that are not as the file has them by itself, with their values.
 * @property {number} files Columns of the board.
 * @property {number} ranks Rows of the board.
 * @property {Square[]} holes Squares that do not exist.
 * @property {RegionView[]} regions Squares with a name that matter to the eye: thrones, castles.
 * @property {KindView[]} kinds The kinds of pieces.
 * @property {PlayerView[]} players The players.
 * @property {number | null} leader The kind whose loss ends the game for its owner.
 * @property {boolean} draw_offers Whether draws may be agreed on.
 * @property {string[]} claims What can be claimed when it holds, in lower case: `threefold_repetition`.
 * @property {number | null} die The faces of the die, if there is one.
 */

/**
 * A named set of squares.
 * @typedef {object} RegionView
 * @property {string} code Its name.
 * @property {Square[]} squares Its squares.
 */

/**
 * A kind of piece.
 * @typedef {object} KindView
 * @property {string} code Its name: `KNIGHT`.
 * @property {string} letter Its letter: `N`.
 */

/**
 * A player of the game.
 * @typedef {object} PlayerView
 * @property {string} name The name: `WHITE`.
 * @property {string | null} team The team, if there are teams.
 * @property {number} turn By how many quarters the board is turned clockwise so that this player's men go up: 0 to 3.
 */

/**
 * A man on the board.
 * @typedef {object} Man
 * @property {Square} at Where.
 * @property {number} kind Which kind.
 * @property {number} player Whose.
 * @property {boolean} [guest] Whether it is the second one on its square, who shares it with the first.
 */

/**
 * What is asked for at a new table.
 * @typedef {object} TableBody
 * @property {string | null} [game] A game of the library, by name.
 * @property {string | null} [spec] Or a spec of one's own, as text.
 * @property {ChoiceBody} [choice] What is chosen of what the game leaves open.
 * @property {SeatBody[]} [seats] Who sits where; each player of the game sits once. Without any, one person plays all of them.
 * @property {ClockBody | null} [clock] The clock, if there is one.
 * @property {string | null} [start] Where it begins, as board text; at the game's own start without it.
 * @property {number | null} [seed] What chance starts from; drawn by the server without it.
 */

/**
 * A seat: one person or program, for one player or several.
 * @typedef {object} SeatBody
 * @property {string[]} players The players of the game, by name.
 * @property {string} who `human`, or what an `Opponent` says.
 */

/**
 * A clock, in seconds.
 * @typedef {object} ClockBody
 * @property {number} seconds For the whole game.
 * @property {number} [increment] Added after every move.
 */

/**
 * A table that was opened, with its secret links.
 * @typedef {object} Opened
 * @property {string} id The table.
 * @property {SeatKey[]} seats A key for each seat of a person: whoever has it plays there. The link is `/play#ID.KEY`.
 * @property {string} watch The key for those who watch. The link is `/watch#ID.KEY`.
 */

/**
 * The key of a seat.
 * @typedef {object} SeatKey
 * @property {number[]} players For which players.
 * @property {string} key The key.
 */

/**
 * What a client says over a socket: exactly one of these, as JSON. The first is `hello`. One of the keys is there.
 * @typedef {object} FromClient
 * @property {{key: string}} [hello] Who comes: the key of a seat or of those who watch.
 * @property {{text: string, seen: number}} [act] Something is done at the table.
 * @property {{seen: number}} [undo] Takes back to one's own last move. For whoever plays against programs alone, or plays for all.
 * @property {{nonce: number}} [ping] Is anybody there?
 */

/**
 * What the server says over a socket: one of these, as JSON. One of the keys is there.
 * @typedef {object} FromServer
 * @property {TableView} [table] Everything about the table, after `hello` and whenever acts were taken back.
 * @property {{act: ActView, state: StateView}} [done] Something happened. It is written in the journal already.
 * @property {ExchangeView} [asked] What an agent was asked and answered, for those who watch.
 * @property {{players: number[], watching: number}} [present] Who is there has changed.
 * @property {Refusal} [refused] What the client said last is refused; nothing has happened.
 * @property {{nonce: number}} [pong] The answer to `ping`.
 */

/**
 * A table, as one who sits or stands there sees it.
 * @typedef {object} TableView
 * @property {string} id The table.
 * @property {GameView} game Board, pieces and players.
 * @property {SeatView[]} seats Who sits where, by player.
 * @property {number[]} you The players for whom the one who asks plays; none if he watches.
 * @property {boolean} may_undo Whether he may take moves back.
 * @property {string} watch The key for those who watch, to give to others.
 * @property {Man[]} start The men at the start.
 * @property {ActView[]} acts Everything that was done, oldest first.
 * @property {StateView} state How it stands.
 * @property {ClockBody | null} clock The clock that was set.
 * @property {number[]} present The players whose seats have somebody, or a program.
 * @property {number} watching How many watch.
 * @property {ExchangeView[]} [asked] What agents were asked and answered, for those who watch: the last of it.
 */

/**
 * Who sits at a place.
 * @typedef {object} SeatView
 * @property {string} kind `human`, `player` or `agent`.
 * @property {string} name The name of the program; empty for people.
 * @property {number} seat Which seat: those with the same number are one person or program.
 */

/**
 * Something that was done.
 * @typedef {object} ActView
 * @property {number} n Which one: they are counted from 0.
 * @property {number} player By whom: the player whose turn it was, or who spoke.
 * @property {number} [by] The player who decided, where it is another: one who moves a partner's army.
 * @property {string} text As it was said: `e2e4`, `resign`, `flag`.
 * @property {string} [san] As people write a move: `Nf3`, `O-O`. Only of moves.
 * @property {[Square, Square]} [squares] From where and to where, of a move.
 * @property {number[]} [throws] What the die showed after it, throw by throw.
 * @property {number} round The number of the round in which it was done, counted from 1.
 * @property {number} ms How long it took, in milliseconds.
 * @property {[Square, Man[]][]} changes The squares that have changed, with the men who stand there now: none, one, or a host and a guest.
 * @property {boolean} capture Whether something was captured.
 * @property {number[]} [frozen] Whose army is frozen after it.
 * @property {number[]} [check] Who is in check after it.
 */

/**
 * How a game stands.
 * @typedef {object} StateView
 * @property {number} seen How many acts were done.
 * @property {Man[]} men Every man on the board.
 * @property {number} mover Whose turn it is.
 * @property {number} actor Who is asked: who moves for that army, or must answer a proposal.
 * @property {number} round The round, counted from 1.
 * @property {number[]} check Who is in check.
 * @property {number[]} out Who is out of the game.
 * @property {number[]} frozen Whose army is frozen.
 * @property {[number, number][]} captives Whose leader is captive, and by whom.
 * @property {[number, number][]} controlled Whose army is moved by another, and by whom.
 * @property {number[]} holding Who holds the squares that count.
 * @property {number | null} die What the die shows.
 * @property {Can | null} can What whoever is asked can do beside moving. Only in what is sent to him; so are `moves`.
 * @property {MoveView[]} moves The legal moves.
 * @property {number | null} offer Who offers a draw that has neither been agreed on nor lapsed.
 * @property {ExchangeOffer | null} proposal The exchange that waits for an answer.
 * @property {number[]} resigning Who would resign, if the partner did.
 * @property {number[]} clocks The time that each player has left in milliseconds; empty without a clock.
 * @property {boolean} running Whether the clock of whoever is asked runs.
 * @property {number} repetitions How often the position has been there, now included.
 * @property {number} quiet How many turns in a row were quiet.
 * @property {string} text The position as board text.
 * @property {EndView | null} end How it ended.
 */

/**
 * What can be done beside moving.
 * @typedef {object} Can
 * @property {boolean} draw Offer a draw.
 * @property {string[]} claims Claim these, which hold.
 * @property {boolean} throw Throw the die.
 * @property {ExchangeOffer | null} exchange Propose this exchange.
 * @property {number[]} withdraw Hand the army over to these.
 */

/**
 * An exchange of captured leaders.
 * @typedef {object} ExchangeOffer
 * @property {number} proposer Who proposes it.
 * @property {number} answerer Who must agree.
 * @property {[number, Square]} asked Whose leader comes back to the proposer's team, and where.
 * @property {[number, Square]} given Whose leader is given for it, and where it comes back.
 */

/**
 * A legal move.
 * @typedef {object} MoveView
 * @property {Square} from From where.
 * @property {Square} to To where.
 * @property {boolean} [guest] Whether it is the guest who moves, and not the host.
 * @property {number} [promotion] What the man becomes.
 * @property {string} text What to say in order to make it.
 */

/**
 * How a game ended.
 * @typedef {object} EndView
 * @property {number[]} winners Who won; nobody, if it is a draw.
 * @property {string} reason The rule that decided it: `checkmate`, `threefold_repetition`, `timeout`.
 */

/**
 * What an agent was asked, what it answered, and what the referee said.
 * @typedef {object} ExchangeView
 * @property {number} seen How many acts were done before.
 * @property {number} player The player.
 * @property {string} agent The name of the agent.
 * @property {any} state The state that it saw, as the agent protocol sends it; board text for engines and our own players.
 * @property {string | null} answer What it answered, clipped if it is very long; `null` if there was no answer.
 * @property {string} verdict `move`, `claim`, `illegal`, `malformed`, `timeout` …
 * @property {string | null} why Why it was not accepted.
 * @property {number} ms How long it took, in milliseconds.
 */

export {};
