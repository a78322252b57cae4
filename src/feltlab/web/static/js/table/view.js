// @ts-check
// The data that the server sends to the page of a table. A test compares these types with the server's models.

/**
 * The table as this visitor may see it: `feltlab.pit.view.view`, with the version and the clock.
 * @typedef {object} View
 * @property {number} version counts the changes since the server started
 * @property {number | null} seconds until the phase ends
 * @property {string} table
 * @property {string} game
 * @property {string} title
 * @property {string} phase
 * @property {number} round
 * @property {{minimum: number, maximum: number, step: number}} limits in cents
 * @property {string} commitment
 * @property {{seat: number, digest: string, revealed: boolean}[]} seeds the seats' seeds for these cards, sealed or revealed
 * @property {string} no_seed why no seed can be sealed now, or ""
 * @property {string} deck the colour of the backs
 * @property {string} shuffler
 * @property {string} held why a drill of the staff holds the round, or ""
 * @property {string} waits what stands in the way of the next round, or ""
 * @property {string[]} calls of the dealer in this round
 * @property {number} stage stops of this round at which all seats were settled
 * @property {number | null} turn the seat that chooses
 * @property {number[]} awaits the seats that the table waits for
 * @property {SeatView[]} seats
 * @property {string[]} dealer the dealer's cards
 * @property {string} dealer_reading
 * @property {GroupView[]} dealer_groups
 * @property {string[]} board the cards that all seats share
 * @property {PaymentView[]} payments
 * @property {string} void the reason why the round is void, or ""
 * @property {number | null} shown the round whose cards are on the felt
 * @property {Record<string, number | null>} timers
 * @property {boolean} closes after this round
 * @property {boolean} private whether it is somebody's own table
 * @property {boolean} shared whether others may sit at it by an invitation
 * @property {boolean} own whether it is your own table
 * @property {string} practice that no approval covers its options and pays, or ""
 * @property {number} grace seconds after a lost connection until the house rule may choose
 * @property {number} away seconds after a lost connection until the seat is given up
 * @property {string} departed why your seat was given up, or ""
 * @property {string} limit which limit of your own stops the play, or ""
 */

/**
 * A seat. The properties from `yours` on are sent for taken seats; `choices` only for your own, when it is your turn.
 * @typedef {object} SeatView
 * @property {number} seat from 1
 * @property {string} player "" if the seat is free
 * @property {string[]} cards
 * @property {string} reading
 * @property {GroupView[]} groups
 * @property {boolean} [yours]
 * @property {string} [name] what people call the player
 * @property {boolean} [present] whether the player is there
 * @property {string} [said] a polite phrase just said, or ""
 * @property {number} [bankroll] cents
 * @property {Record<string, number>} [wagers] first wagers by spot
 * @property {number} [staked]
 * @property {Record<string, number>} [stakes] by spot, raises included
 * @property {boolean} [ready]
 * @property {number} [jackpot] cents of the bet on the progressive
 * @property {boolean} [leaves] after this round
 * @property {Record<string, number>} [last] the wagers of the last round
 * @property {ChoiceView[]} [choices]
 * @property {string} [position] the open decision as the query of a link, beside `choices`
 */

/**
 * Cards that count together; the title is "" if all cards of the hand count for one thing.
 * @typedef {object} GroupView
 * @property {string} title
 * @property {string} reading
 * @property {number[]} cards positions in the hand
 * @property {number[]} board positions on the board
 */

/**
 * A choice that is open; `barred` is the reason why it cannot be afforded, or "".
 * @typedef {object} ChoiceView
 * @property {string} choice
 * @property {string} key
 * @property {string} help
 * @property {string} kind what it does with money: gives-up, goes-on or puts-down
 * @property {number} cents that it puts down; the most, if it may put down less
 * @property {string} barred
 * @property {boolean} house_rule whether the house makes it for an absent player
 * @property {boolean} any_amount whether it may put down less
 * @property {number} step in cents between the amounts; 0 if the amount is fixed
 */

/**
 * A settled wager.
 * @typedef {object} PaymentView
 * @property {number} seat
 * @property {string} spot
 * @property {string} outcome
 * @property {string} result
 * @property {number} staked
 * @property {number} net
 * @property {string} why
 */

/**
 * The felt of the table's game: `feltlab.web.pages.table`.
 * @typedef {object} Felt
 * @property {string} game
 * @property {string} title
 * @property {string} summary
 * @property {Record<string, string>} options
 * @property {string} digest
 * @property {number} seats
 * @property {{spot: string, title: string, raises: string, bonus_on: string, equals: string, fixed_cents: number, required: boolean, step: number, pays: object[]}[]} spots
 * @property {{choice: string, key: string, help: string}[]} choices
 * @property {{area: string, cards: number}[]} areas
 * @property {string[]} streets
 * @property {{far: FeltSpot[][], near: FeltSpot[][]}} rows
 * @property {number} most cards of a player's hand
 * @property {number} groups of cards that a player's hand may have
 * @property {{colour: string, pattern: string}} look
 * @property {string} source what the cards come from
 * @property {{title: string, pays: {outcome: string, pays: string}[]}[]} printed
 * @property {string[]} notes
 * @property {string} terms its options and pays as the query of a link
 * @property {string} rules the address of the rules under the table's options
 * @property {string} page the page of the game
 * @property {{cents: number, key: string}[]} chips smallest first
 * @property {number} refill_below cents
 * @property {string[]} phrases that a player can say
 */

/** @typedef {{spot: string, title: string, raises: string, bonus_on: string, notices: string[]}} FeltSpot */

export {};
