// Who sits where, before a table is opened: what is chosen for each player, and what is asked of the server for it.

/** @typedef {import('./types.js').PlayerView} PlayerView */
/** @typedef {import('./types.js').SeatBody} SeatBody */
/** @typedef {import('./types.js').OpenedRoom} OpenedRoom */
/** @typedef {import('./types.js').GameView} GameView */

/** What is chosen for a player: these two, or what an opponent is called. */
export const YOU = 'you';
export const FRIEND = 'friend';

/** The opponent whom one gets without choosing. */
export const FIRST_LEVEL = 'player:level3';

/**
 * One seat for all players that are you; a seat for each friend; and one for each program, as many as it plays.
 * @param {readonly PlayerView[]} players
 * @param {readonly string[]} chosen What is chosen, by player.
 * @returns {SeatBody[]}
 */
export function seats(players, chosen) {
  /** @type {SeatBody[]} */
  const made = [];
  const mine = players.filter((_, i) => chosen[i] === YOU).map((player) => player.name);
  if (mine.length > 0) made.push({ players: mine, who: 'human' });
  players.forEach((player, i) => {
    const who = chosen[i];
    if (who !== undefined && who !== YOU) made.push({ players: [player.name], who: who === FRIEND ? 'human' : who });
  });
  return made;
}

/**
 * Where one goes when the table is open: to one's own seat, or to watch.
 * @param {OpenedRoom} opened
 * @param {readonly string[]} chosen
 */
export function wayIn(opened, chosen) {
  const first = chosen.indexOf(YOU);
  const seat = opened.seats.find((each) => each.players.includes(first));
  return seat ? `/play#${opened.id}.${seat.key}` : `/watch#${opened.id}.${opened.watch}`;
}

/**
 * The sides that one person can take: each player, and each team of several.
 * @param {readonly PlayerView[]} players
 * @returns {{ name: string, team: boolean, players: number[] }[]}
 */
export function sides(players) {
  const single = players.map((player, i) => ({ name: player.name, team: false, players: [i] }));
  const names = [...new Set(players.map((player) => player.team))];
  const teams = names.flatMap((name) => {
    const members = players.flatMap((player, i) => (player.team === name ? [i] : []));
    return name !== null && members.length > 1 && members.length < players.length ? [{ name, team: true, players: members }] : [];
  });
  return [...single, ...teams];
}
