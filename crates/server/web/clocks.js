// Clocks count down by themselves between two words of the server; what the server says is what counts.

/** `1:02:03`, `4:05`, and tenths when it becomes close. @param {number} ms */
export function clockText(ms) {
  const left = Math.max(0, ms);
  if (left < 20000) return `0:${(Math.floor(left / 100) / 10).toFixed(1).padStart(4, '0')}`;
  const seconds = Math.ceil(left / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, String(seconds % 60).padStart(2, '0')];
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

export class Clocks {
  /** @type {number[]} */
  #left = [];
  /** @type {number | null} */
  #running = null;
  #since = 0;

  /** @param {(player: number, ms: number, isRunning: boolean) => void} show */
  constructor(show) {
    this.show = show;
    setInterval(() => this.#running !== null && this.#tell(this.#running), 100);
  }

  /** What the server says. @param {import('./types.js').StateView} state */
  set({ clocks, running, actor, end }) {
    this.#left = clocks;
    this.#running = running && !end && clocks.length ? actor : null;
    this.#since = performance.now();
    this.tellAll();
  }

  tellAll() {
    this.#left.forEach((_, player) => this.#tell(player));
  }

  /** @param {number} player */
  #tell(player) {
    const isRunning = player === this.#running;
    const gone = isRunning ? performance.now() - this.#since : 0;
    this.show(player, (this.#left[player] ?? 0) - gone, isRunning);
  }
}
