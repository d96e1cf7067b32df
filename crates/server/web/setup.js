// The form for a new game, of the library or from the workshop: opponents, clock and rule options. Four presets fill it in;
// everything can be changed.
import { ApiError, openRoom } from './api.js';
import { Choices } from './choices.js';
import { byId, closeOnOutsideClick, el, options, showNotice } from './dom.js';
import { displayName, list, opponentName } from './names.js';
import { armies } from './pieces.js';
import { checkedGame, drawing } from './previews.js';
import { addRecentGame } from './recent_games.js';
import { DEFAULT_OPPONENT, FRIEND, YOU, ownLink, seats, sides } from './seats.js';
import { setupForm } from './setup_form.js';
import { loadName, saveLinks, saveName } from './storage.js';

/** @typedef {import('./types.js').LibraryGame} LibraryGame */
/** @typedef {import('./types.js').Opponent} Opponent */
/** @typedef {import('./types.js').ClockBody} ClockBody */
/** @typedef {Pick<LibraryGame, 'title' | 'about' | 'players' | 'offer'> & {name: string | null}} SetupGame */
/** @typedef {{spec: string, choice: import('./types.js').ChoiceBody}} OwnGame */
/** @typedef {'computer' | 'friend' | 'local' | 'watch'} Preset */

/** @type {Preset[]} */
const PRESETS = ['computer', 'friend', 'local', 'watch'];

export class Setup {
  #dialog = setupForm();
  #level = byId('level', HTMLSelectElement);
  #side = byId('side', HTMLSelectElement);
  #clock = byId('clock', HTMLSelectElement);
  #start = byId('start', HTMLButtonElement);
  #error = byId('setup-error');
  #name = byId('setup-name', HTMLInputElement);
  /** @type {HTMLSelectElement[]} */ #seats = [];
  /** @type {SetupGame | null} */ #game = null;
  /** @type {readonly Opponent[]} */ #opponents = [];
  /** @type {Preset | null} */ #preset = null;
  /** Counts drawings: only the newest is shown. */
  #drawn = 0;
  /** The text of a game that is not in the library, and what was chosen for it. @type {OwnGame | null} */
  #own = null;
  #choices = new Choices(byId('setup-choices'), () => void this.#draw(), 'setup-');

  constructor() {
    byId('setup-form').addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#openGame();
    });
    for (const id of ['setup-close', 'cancel']) byId(id).addEventListener('click', () => this.#dialog.close());
    this.#dialog.addEventListener('close', () => this.#own === null && history.replaceState(null, '', location.pathname));
    this.#name.addEventListener('change', () => saveName(this.#name.value));
    addEventListener('pageshow', (event) => {
      if (!event.persisted) return;
      this.#start.disabled = false;
      this.#dialog.close();
    });
    closeOnOutsideClick(this.#dialog);
    for (const preset of PRESETS) byId(`preset-${preset}`).addEventListener('click', () => this.#applyPreset(preset));
    this.#level.addEventListener('change', () => this.#preset && this.#applyPreset(this.#preset));
    this.#side.addEventListener('change', () => this.#preset && this.#applyPreset(this.#preset));
    byId('lot').addEventListener('click', () => {
      const any = Math.floor(Math.random() * (this.#game?.players.length ?? 1));
      this.#side.value = String(any);
      if (this.#preset) this.#applyPreset(this.#preset);
    });
    this.#clock.addEventListener('change', () => {
      byId('custom').hidden = this.#clock.value !== 'custom';
    });
  }

  /**
   * @param {SetupGame} game
   * @param {readonly Opponent[]} opponents
   * @param {OwnGame | null} [own] The text of a game that is not in the library.
   * @param {string | null} [layout] The array that is chosen at first.
   */
  show(game, opponents, own = null, layout = null) {
    this.#game = game;
    this.#opponents = opponents;
    this.#own = own;
    this.#start.disabled = false;
    this.#name.value = loadName() ?? '';
    const two = game.players.length === 2;
    byId('setup-title').textContent = `Play ${game.title}`;
    byId('setup-about').textContent = game.about;
    byId('setup-rules-line').hidden = own !== null;
    byId('setup-rules', HTMLAnchorElement).href = `/workshop#game=${encodeURIComponent(game.name ?? '')}`;
    byId('preset-friend').textContent = two ? 'Play a friend' : 'Play with friends';
    byId('preset-local').textContent = two ? 'Both sides on one screen' : 'All sides on one screen';
    this.#error.hidden = true;
    this.#level.replaceChildren(...this.#programs(DEFAULT_OPPONENT));
    this.#side.replaceChildren(
      ...options(sides(game.players).map((side, i) => [String(i), side.team ? `${this.#names(side.players)}, a team` : displayName(side.name)])),
    );
    this.#seats = [];
    byId('seats').replaceChildren(...game.players.map((player, i) => this.#seat(player, i)));
    this.#choices.clear();
    this.#choices.show(game.offer, own?.choice ?? { layout });
    byId('setup-board').replaceChildren();
    void this.#draw();
    this.#applyPreset('computer');
    if (own === null) history.replaceState(null, '', `#${game.name}`);
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#dialog.scrollTo(0, 0);
    byId('preset-computer').focus();
  }

  /**
   * @param {import('./types.js').PlayerView} player
   * @param {number} i
   */
  #seat(player, i) {
    const id = `seat-${i}`;
    const field = el(
      'select',
      { id, 'data-player': player.name },
      ...options([[YOU, 'You'], [FRIEND, 'A friend (link)']]),
      ...this.#programs(),
    );
    field.addEventListener('change', () => this.#showPreset(null));
    this.#seats.push(field);
    const who = el('span', {}, displayName(player.name), player.team ? el('span', { class: 'muted small team' }, ` ${displayName(player.team)}`) : null);
    const army = armies(this.#game?.players ?? [])[i] ?? 0;
    return el('div', { class: 'seat' }, el('label', { for: id }, el('span', { class: `disc army-${army}`, 'aria-hidden': 'true' }), who), field);
  }

  /**
   * Returns the options for all programs, in groups.
   * @param {string} [chosen]
   */
  #programs(chosen) {
    const level = (/** @type {Opponent} */ each) => /^player:level\d+$/.test(each.who);
    /** @type {[string, Opponent[]][]} */
    const groups = [
      ['Computer', this.#opponents.filter(level)],
      ['Other built-in players', this.#opponents.filter((each) => each.kind === 'player' && !level(each))],
      ['Agents', this.#opponents.filter((each) => each.kind !== 'player')],
    ];
    return groups.flatMap(([label, group]) =>
      group.length > 0 ? [el('optgroup', { label }, ...options(group.map((each) => [each.who, opponentName(each)]), chosen))] : [],
    );
  }

  /**
   * Sets every seat to the preset.
   * @param {Preset} preset
   */
  #applyPreset(preset) {
    const players = this.#game?.players ?? [];
    const side = sides(players)[Number(this.#side.value)]?.players ?? [0];
    this.#seats.forEach((seat, i) => {
      const mine = preset === 'local' || (preset !== 'watch' && side.includes(i));
      seat.value = mine ? YOU : preset === 'friend' ? FRIEND : this.#level.value;
    });
    this.#showPreset(preset);
  }

  /**
   * Shows the active preset; `null` after a seat was changed by hand.
   * @param {Preset | null} preset
   */
  #showPreset(preset) {
    this.#preset = preset;
    for (const each of PRESETS) byId(`preset-${each}`).setAttribute('aria-pressed', String(each === preset));
    byId('quick').hidden = preset === null || preset === 'local';
    byId('side-field').hidden = preset === 'watch';
    byId('level-label').textContent = preset === 'watch' ? 'All players' : 'Computer';
    this.#level.parentElement?.toggleAttribute('hidden', preset === 'friend');
    const friends = this.#chosen().filter((who) => who === FRIEND).length;
    const you = this.#chosen().includes(YOU);
    byId('seats-note').textContent =
      friends > 0
        ? `You will get ${friends === 1 ? 'a link for your friend' : `${friends} links, one for each friend`} when the game starts.`
        : you
          ? ''
          : 'You watch, and can share the game with others.';
  }

  #chosen() {
    return this.#seats.map((seat) => seat.value);
  }

  /** @param {readonly number[]} players */
  #names(players) {
    return list(players.map((i) => displayName(this.#game?.players[i]?.name ?? '')));
  }

  /** Draws the starting position of the current choice. */
  async #draw() {
    if (!this.#game) return;
    this.#drawn += 1;
    const mine = this.#drawn;
    const host = byId('setup-board');
    try {
      const choice = this.#choices.choice();
      const { game, men } = this.#own ? await checkedGame(this.#own.spec, choice) : await drawing(this.#game.name ?? '', choice);
      const { Board } = await import('./board.js');
      if (mine !== this.#drawn) return;
      host.replaceChildren();
      new Board(host, game, { small: true, label: `Start of ${game.title}` }).show({ pieces: men });
      showNotice(this.#error, null);
    } catch (error) {
      if (mine === this.#drawn && error instanceof ApiError && error.status !== 0) showNotice(this.#error, error);
    }
  }

  /** @returns {ClockBody | null} */
  #time() {
    if (this.#clock.value === 'none') return null;
    if (this.#clock.value === 'custom') {
      const minutes = Number(byId('minutes', HTMLInputElement).value);
      const increment = Number(byId('increment', HTMLInputElement).value);
      if (!(minutes >= 0.1 && minutes <= 600 && increment >= 0 && increment <= 600)) throw new Error('A clock needs 0.1 to 600 minutes and an increment of 0 to 600 seconds.');
      return { seconds: minutes * 60, increment };
    }
    const [seconds = 0, increment = 0] = this.#clock.value.split('+').map(Number);
    return { seconds, increment };
  }

  async #openGame() {
    const game = this.#game;
    if (!game) return;
    showNotice(this.#error, null);
    this.#start.disabled = true;
    try {
      const chosen = this.#chosen();
      const opened = await openRoom({
        ...(this.#own ? { spec: this.#own.spec } : { game: game.name }),
        choice: this.#choices.choice(),
        seats: seats(game.players, chosen),
        clock: this.#time(),
      });
      const href = ownLink(opened, chosen);
      const mine = chosen.flatMap((who, i) => (who === YOU ? [i] : []));
      const who = mine.length === 0 ? 'You watch' : mine.length === chosen.length ? 'You play all sides' : `You play ${this.#names(mine)}`;
      addRecentGame({ id: opened.id, href, title: game.title, who, when: Date.now() });
      if (!saveLinks(opened) && opened.seats.length > 1) return this.#showLinks(opened, href);
      // The back button leads to the list of games, not to this form.
      if (this.#own === null) history.replaceState(null, '', location.pathname);
      location.assign(href);
    } catch (error) {
      showNotice(this.#error, error);
      this.#error.scrollIntoView({ block: 'nearest' });
      this.#start.disabled = false;
    }
  }

  /**
   * Shows the links here if the browser cannot store them for the next page.
   * @param {import('./types.js').OpenedRoom} opened
   * @param {string} href
   */
  #showLinks(opened, href) {
    const link = (/** @type {import('./types.js').SeatKey} */ seat) => {
      const path = `/play#${opened.id}.${seat.key}`;
      const words = path === href ? 'open the game' : new URL(path, location.href).href;
      return el('li', {}, `${this.#names(seat.players)}: `, el('a', { href: path }, words));
    };
    this.#error.replaceChildren(el('p', {}, 'The game is open. This browser does not store data, so copy the links for the others first:'), el('ul', {}, ...opened.seats.map(link)));
    this.#error.hidden = false;
    this.#error.scrollIntoView({ block: 'nearest' });
  }
}
