import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { directions, MINUTES_PER_ROW, NOT_SAMPLED, storedOfPercent } from './spreadRows.ts';

/** Mean gross spreads of each minute, combined into rows of five minutes. */

export const ROW_MS = MINUTES_PER_ROW * MINUTE_MS;
const CELLS = directions.length * MINUTES_PER_ROW;

export interface SpreadRow {
  coin: string;
  /** Start, epoch ms. */
  atMs: number;
  /** `NOT_SAMPLED` or ten-thousandths of a percent, per direction. */
  minutes: number[];
}

interface Sums {
  sums: Float64Array;
  counts: Uint16Array;
}

export class Minutes {
  #atMs = -Infinity;
  #coins = new Map<string, Sums>();
  #rows: SpreadRow[] = [];

  add(coin: string, direction: number, atMs: number, grossPct: number): void {
    const rowMs = Math.floor(atMs / ROW_MS) * ROW_MS;
    if (rowMs !== this.#atMs) this.#next(rowMs);
    let match = this.#coins.get(coin);
    if (match === undefined) {
      match = { sums: new Float64Array(CELLS), counts: new Uint16Array(CELLS) };
      this.#coins.set(coin, match);
    }
    const cell = direction * MINUTES_PER_ROW + Math.floor((atMs - rowMs) / MINUTE_MS);
    match.sums[cell] = (match.sums[cell] ?? 0) + grossPct;
    match.counts[cell] = (match.counts[cell] ?? 0) + 1;
  }

  /** Rows completed since the last call. */
  takeRows(): SpreadRow[] {
    const taken = this.#rows;
    this.#rows = [];
    return taken;
  }

  #next(rowMs: number): void {
    // Bounds memory while rows cannot be stored.
    if (this.#rows.length > 5000) this.#rows = [];
    for (const [coin, { sums, counts }] of this.#coins) {
      const minutes = Array.from(sums, (sum, cell) => {
        const count = counts[cell] ?? 0;
        return count === 0 ? NOT_SAMPLED : storedOfPercent(sum / count);
      });
      this.#rows.push({ coin, atMs: this.#atMs, minutes });
    }
    this.#coins = new Map();
    this.#atMs = rowMs;
  }
}
