import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { ExchangeId } from '../../market/port.ts';
import { takerFeesOf } from '../takerFees.ts';
import { type CoinPair, grossPctOf, netPctAtBest } from '../spreads.ts';
import type { Watched } from '../watchRepository.ts';
import { type FinishedEpisode, Follower } from './episodes.ts';
import { HOLD_HOURS, SAMPLE_SKEW_MS, THRESHOLD_PCT } from './limits.ts';
import { Minutes, type SpreadRow } from './minutes.ts';
import { directions } from './spreadRows.ts';
import type { CoinQuotes } from './universe.ts';
import { type Crossing, WatchLevels } from './watchLevels.ts';

/** Data gathered since the last call, to be stored in the database. */
export interface Gathered {
  episodes: FinishedEpisode[];
  rows: SpreadRow[];
  /** Sampled seconds of each day (start of the day, epoch ms). */
  sampledS: ReadonlyMap<number, number>;
}

const keyOf = (coin: string, direction: number): string => `${coin} ${direction}`;

/**
 * Samples all quotes once a second: follows the pairs above the threshold, averages the spreads of each minute and compares watched pairs
 * with their levels. In memory only; the caller stores the gathered data.
 */
export class Sampler {
  readonly #kernel: () => Engine;
  readonly #follower = new Follower();
  readonly #minutes = new Minutes();
  readonly #levels = new WatchLevels();
  readonly #takerFees = takerFeesOf();
  #sampledS = new Map<number, number>();
  #lastMs = -Infinity;

  constructor(kernel: () => Engine) {
    this.#kernel = kernel;
  }

  /** Watched pairs as currently stored. */
  watch(watches: readonly Watched[], nowMs: number): void {
    this.#levels.set(watches, nowMs);
  }

  /** @returns watched pairs that rose above their level, or have been below it for long enough */
  sample(quotes: CoinQuotes, nowMs: number): Crossing[] {
    const kernel = this.#kernel();
    let compared = 0;
    for (const [coin, result] of quotes) {
      directions.forEach((direction, index) => {
        const [buy, sell] = [result[direction.buy], result[direction.sell]];
        if (buy === undefined || sell === undefined) return;
        if (Math.abs(buy.atMs - sell.atMs) > SAMPLE_SKEW_MS) return;
        compared += 1;
        const pair = { buy, sell, grossPct: grossPctOf(buy, sell) };
        this.#minutes.add(coin, index, nowMs, pair.grossPct);
        const key = keyOf(coin, index);
        // Net never exceeds gross: below the threshold only followed pairs need the exact net.
        const isNeeded = pair.grossPct >= THRESHOLD_PCT || this.#follower.isFollowed(key);
        const netPct = isNeeded ? this.#netPct(kernel, pair, nowMs) : pair.grossPct;
        this.#follower.see(key, { coin, ...direction }, nowMs, netPct);
      });
    }
    this.#follower.endRound(nowMs);
    if (compared > 0) this.#count(nowMs);
    this.#lastMs = nowMs;
    return this.#levels.check(kernel, quotes, nowMs);
  }

  /** Time since which the spread of a pair exceeds its costs by more than the threshold, epoch ms; null when it does not. */
  existsSinceMs(symbol: string, buy: ExchangeId, sell: ExchangeId, nowMs: number): number | null {
    const coin = symbol.replace(/USDT$/, '');
    const index = directions.findIndex((each) => each.buy === buy && each.sell === sell);
    return this.#follower.sinceMs(keyOf(coin, index), nowMs);
  }

  take(): Gathered {
    const gathered = {
      episodes: this.#follower.takeFinished(),
      rows: this.#minutes.takeRows(),
      sampledS: this.#sampledS,
    };
    this.#sampledS = new Map();
    return gathered;
  }

  #netPct(kernel: Engine, pair: CoinPair, nowMs: number): number {
    return netPctAtBest(kernel, pair, { takerFees: this.#takerFees, holdHours: HOLD_HOURS, nowMs });
  }

  /** Whole seconds by the clock, so that two rounds in one second count once. */
  #count(nowMs: number): void {
    if (Math.floor(nowMs / 1000) === Math.floor(this.#lastMs / 1000)) return;
    const day = Math.floor(nowMs / DAY_MS) * DAY_MS;
    this.#sampledS.set(day, (this.#sampledS.get(day) ?? 0) + 1);
  }
}
