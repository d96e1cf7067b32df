// The JSON types of the API: the same names and fields as in `crates/server/src/http_types.rs` and `socket_types.rs`, which
// describe them. A test compares them. This file contains no code.

/** `[x, y]`, counted from 0 at the bottom left of the board. @typedef {[number, number]} Square */

/**
 * @typedef {object} ErrorBody
 * @property {string} rule
 * @property {string} why
 * @property {DiagnosticView[]} [diagnostics]
 */

/**
 * @typedef {object} DiagnosticView
 * @property {string} code
 * @property {string} severity
 * @property {string} message
 * @property {string | null} help
 * @property {string} pointer
 * @property {number} line
 * @property {number} column
 * @property {number} end_line
 * @property {number} end_column
 */

/**
 * @typedef {object} LibraryGame
 * @property {string} name
 * @property {string} title
 * @property {string} about
 * @property {number} files
 * @property {number} ranks
 * @property {number} levels
 * @property {PlayerView[]} players
 * @property {OfferView} offer
 */

/**
 * @typedef {object} LibraryText
 * @property {string} spec
 * @property {string} rulebook
 * @property {string} variant
 */

/**
 * @typedef {object} OfferView
 * @property {LayoutView[]} layouts
 * @property {PresetView[]} presets
 * @property {OptionView[]} options
 */

/**
 * @typedef {object} LayoutView
 * @property {string} name
 * @property {string | null} about
 */

/**
 * @typedef {object} PresetView
 * @property {string} name
 * @property {[string, string][]} options
 */

/**
 * @typedef {object} OptionView
 * @property {string} name
 * @property {string | null} about
 * @property {string[]} values
 * @property {string} default
 */

/**
 * @typedef {object} ChoiceBody
 * @property {string | null} [layout]
 * @property {string | null} [preset]
 * @property {[string, string][]} [options]
 */

/**
 * @typedef {object} Opponent
 * @property {string} who
 * @property {string} name
 * @property {string} kind
 */

/**
 * @typedef {object} SpecBody
 * @property {string} spec
 * @property {ChoiceBody} [choice]
 */

/**
 * @typedef {object} FormatBody
 * @property {string} spec
 */

/**
 * @typedef {object} SpecText
 * @property {string} spec
 */

/**
 * @typedef {object} CompleteBody
 * @property {string} spec
 * @property {number} offset
 */

/**
 * @typedef {object} CompleteResult
 * @property {CompletionView[]} completions
 */

/**
 * @typedef {object} CompletionView
 * @property {string} label
 * @property {string} insert
 * @property {number} start
 * @property {number} end
 * @property {string} kind
 * @property {string} description
 */

/**
 * @typedef {object} BetzaBody
 * @property {string} word
 */

/**
 * @typedef {object} BetzaResult
 * @property {BetzaProblem | null} error
 * @property {BetzaMoves | null} moves
 */

/**
 * @typedef {object} BetzaProblem
 * @property {number} start
 * @property {number} end
 * @property {string} message
 * @property {string} help
 */

/**
 * @typedef {object} BetzaMoves
 * @property {string} english
 * @property {GameView} game
 * @property {MoveDiagram} diagram
 */

/**
 * @typedef {object} CheckResult
 * @property {DiagnosticView[]} diagnostics
 * @property {number} left_out
 * @property {GamePreview | null} game
 */

/**
 * @typedef {object} GamePreview
 * @property {GameView} game
 * @property {OfferView} offer
 * @property {PieceView[]} men
 * @property {string} english
 * @property {MoveDiagram[]} diagrams
 */

/**
 * @typedef {object} RulesView
 * @property {string} english
 * @property {MoveDiagram[]} diagrams
 * @property {number[]} values
 */

/**
 * @typedef {object} LibraryBoard
 * @property {GameView} game
 * @property {PieceView[]} men
 */

/**
 * @typedef {object} MoveDiagram
 * @property {number} kind
 * @property {number} player
 * @property {number} files
 * @property {number} ranks
 * @property {Square} at
 * @property {Square[]} goes
 * @property {Square[]} takes
 * @property {Square[]} hops
 * @property {Square[]} hop_takes
 */

/**
 * @typedef {object} GameView
 * @property {string | null} library
 * @property {string} title
 * @property {string | null} about
 * @property {string | null} layout
 * @property {[string, string][]} options
 * @property {number} files
 * @property {number} ranks
 * @property {'square' | 'hex'} lattice
 * @property {number} levels
 * @property {boolean[]} wraps
 * @property {string | null} file_letters
 * @property {Square[]} holes
 * @property {RegionView[]} regions
 * @property {KindView[]} kinds
 * @property {PlayerView[]} players
 * @property {number[]} order
 * @property {number | null} leader
 * @property {boolean} draw_offers
 * @property {string[]} claims
 * @property {number | null} die
 * @property {HandsView | null} hands
 * @property {CounterView[]} counters
 */

/**
 * @typedef {object} HandsView
 * @property {string | null} captured_to
 */

/**
 * @typedef {object} CounterView
 * @property {string} code
 * @property {boolean} per_player
 * @property {number} max
 */

/**
 * @typedef {object} RegionView
 * @property {string} code
 * @property {Square[]} squares
 */

/**
 * @typedef {object} KindView
 * @property {string} code
 * @property {string} letter
 * @property {string[] | null} letters
 */

/**
 * @typedef {object} PlayerView
 * @property {string} name
 * @property {string | null} team
 * @property {number} turn
 */

/**
 * @typedef {object} PieceView
 * @property {Square} at
 * @property {number} kind
 * @property {number} player
 * @property {boolean} [guest]
 */

/**
 * @typedef {object} RoomBody
 * @property {string | null} [game]
 * @property {string | null} [spec]
 * @property {ChoiceBody} [choice]
 * @property {SeatBody[]} [seats]
 * @property {ClockBody | null} [clock]
 * @property {string | null} [start]
 * @property {number | null} [seed]
 */

/**
 * @typedef {object} SeatBody
 * @property {string[]} players
 * @property {string} who
 */

/**
 * @typedef {object} ClockBody
 * @property {number} seconds
 * @property {number} [increment]
 */

/**
 * @typedef {object} OpenedRoom
 * @property {string} id
 * @property {SeatKey[]} seats
 * @property {string} watch
 */

/**
 * @typedef {object} SeatKey
 * @property {number[]} players
 * @property {string} key
 */

/**
 * A message with exactly one of these keys.
 * @typedef {object} FromClient
 * @property {{key: string, name?: string}} [hello]
 * @property {{text: string, seen: number, player?: number}} [act]
 * @property {{seen: number}} [undo]
 * @property {{}} [decline_undo]
 * @property {{}} [rematch]
 * @property {{}} [decline_rematch]
 * @property {{}} [abort]
 * @property {{player: number}} [claim_left]
 * @property {{nonce: number}} [ping]
 */

/**
 * A message with exactly one of these keys.
 * @typedef {object} FromServer
 * @property {RoomView} [table]
 * @property {{act: ActionView, state: StateView, dice?: DiceView}} [done]
 * @property {AgentAnswerView} [asked]
 * @property {{players: number[], watching: number, people: PeopleView}} [present]
 * @property {OffersView} [offers]
 * @property {NextRoomView} [next]
 * @property {ErrorBody} [refused]
 * @property {{nonce: number}} [pong]
 */

/**
 * @typedef {object} RoomView
 * @property {string} id
 * @property {GameView} game
 * @property {SeatView[]} seats
 * @property {number[]} you
 * @property {boolean} may_undo
 * @property {string} watch
 * @property {PieceView[]} start
 * @property {number[][]} [start_hands]
 * @property {number[][]} [start_counters]
 * @property {number[]} [throws]
 * @property {ActionView[]} acts
 * @property {StateView} state
 * @property {ClockBody | null} clock
 * @property {DiceView | null} dice
 * @property {number[]} present
 * @property {number} watching
 * @property {PeopleView} people
 * @property {OffersView} offers
 * @property {NextRoomView | null} next
 * @property {AgentAnswerView[]} [asked]
 */

/**
 * @typedef {object} DiceView
 * @property {string} commitment
 * @property {string | null} secret
 */

/**
 * @typedef {object} PeopleView
 * @property {number[]} missing
 * @property {number | null} abort_in
 * @property {AwayView[]} away
 */

/**
 * @typedef {object} AwayView
 * @property {number[]} players
 * @property {number} claim_in
 */

/**
 * @typedef {object} OffersView
 * @property {OfferedView | null} undo
 * @property {OfferedView | null} rematch
 */

/**
 * @typedef {object} OfferedView
 * @property {number[]} by
 * @property {number[]} agreed
 */

/**
 * @typedef {object} NextRoomView
 * @property {string} id
 * @property {string} key
 */

/**
 * @typedef {object} SeatView
 * @property {string} kind
 * @property {string} name
 * @property {number} seat
 */

/**
 * @typedef {object} ActionView
 * @property {number} n
 * @property {number} player
 * @property {number} [by]
 * @property {string} text
 * @property {string} [san]
 * @property {[Square | null, Square]} [squares]
 * @property {number[]} [throws]
 * @property {number} round
 * @property {number} ms
 * @property {[Square, PieceView[]][]} changes
 * @property {[number, number, number][]} [hands]
 * @property {[number, number, number][]} [counters]
 * @property {boolean} capture
 * @property {CapturedView[]} [captured]
 * @property {CapturedView[]} [returned]
 * @property {number[]} [out]
 * @property {number[]} [frozen]
 * @property {number[]} [check]
 */

/**
 * @typedef {object} CapturedView
 * @property {number} kind
 * @property {number} player
 */

/**
 * @typedef {object} StateView
 * @property {number} seen
 * @property {PieceView[]} men
 * @property {number[][]} hands
 * @property {number[][]} counters
 * @property {number} mover
 * @property {number} actor
 * @property {number} round
 * @property {number[]} check
 * @property {number[]} out
 * @property {number[]} frozen
 * @property {[number, number][]} captives
 * @property {[number, number][]} controlled
 * @property {number[]} holding
 * @property {number | null} die
 * @property {AvailableActions | null} can
 * @property {MoveView[]} moves
 * @property {number | null} offer
 * @property {ExchangeOffer | null} proposal
 * @property {number[]} resigning
 * @property {number[]} clocks
 * @property {boolean} running
 * @property {number} repetitions
 * @property {number} quiet
 * @property {string} text
 * @property {EndView | null} end
 */

/**
 * @typedef {object} AvailableActions
 * @property {boolean} draw
 * @property {string[]} claims
 * @property {boolean} throw
 * @property {ExchangeOffer | null} exchange
 * @property {number[]} withdraw
 */

/**
 * @typedef {object} ExchangeOffer
 * @property {number} proposer
 * @property {number} answerer
 * @property {[number, Square]} asked
 * @property {[number, Square]} given
 */

/**
 * @typedef {object} MoveView
 * @property {Square | null} from
 * @property {Square} to
 * @property {number} [drop]
 * @property {boolean} [guest]
 * @property {number} [promotion]
 * @property {Square} [partner]
 * @property {[Square | null, Square][]} [then]
 * @property {string} text
 */

/**
 * @typedef {object} EndView
 * @property {number[]} winners
 * @property {string} reason
 */

/**
 * @typedef {object} AgentAnswerView
 * @property {number} seen
 * @property {number} player
 * @property {string} agent
 * @property {any} state
 * @property {string | null} answer
 * @property {string} verdict
 * @property {string | null} why
 * @property {number} ms
 */

export {};
