// Clocks. They count down between two messages of the server, whose times are authoritative.

/** `1:02:03`, `4:05`, with tenths below 20 seconds. @param {number} ms */
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
    setInterval(() => this.#running !== null && this.#show(this.#running), 100);
  }

  /** Sets the times of the server. @param {import('./types.js').StateView} state */
  set({ clocks, running, actor, end }) {
    this.#left = clocks;
    this.#running = running && !end && clocks.length ? actor : null;
    this.#since = performance.now();
    this.showAll();
  }

  showAll() {
    this.#left.forEach((_, player) => this.#show(player));
  }

  /** @param {number} player */
  #show(player) {
    const isRunning = player === this.#running;
    const elapsed = isRunning ? performance.now() - this.#since : 0;
    this.show(player, (this.#left[player] ?? 0) - elapsed, isRunning);
  }
}
