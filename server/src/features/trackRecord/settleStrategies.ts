import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { baseOf, stopSpanOf } from '@sextant/workers/src/positions/strategyExits.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { closesBySignal, isClosedBy } from '@sextant/workers/src/signals/closingSignals.ts';
import type { MarketMode } from '../../config.ts';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { lastClosedOpen } from '../market/intervals.ts';
import type { Interval, Market } from '../market/port.ts';
import { inBackground } from '../../platform/readPriority.ts';
import { createStrategySignals, type SignalsDeps, type StrategySignal } from '../signals/oppositeSignals.ts';
import { createRanges } from '../signals/ranges.ts';
import { finestFor } from './resolveSignals.ts';
import { SignalMarks } from './signalMarks.ts';
import { insertStrategyOutcome, type OpenStrategySignal, readOpenStrategySignals } from './strategyRecord.ts';
import { deadlineOfTrade, type StrategyOutcome, TradeSettler } from '@sextant/workers/src/signals/strategyTrade.ts';

export interface SettleDeps {
  db: Db;
  market: Pick<Market, 'candles' | 'fundingHistory'>;
  newsVotes: SignalsDeps['newsVotes'];
  config: { market: MarketMode };
  newEngine: () => Engine;
  now?: () => number;
}

const perRound = 300;
/** Cached results about the signals that close: an open signal is checked every minute. */
const TURNS_MAX = 20_000;

type Turn = Pick<StrategySignal, 'direction' | 'exits'>;

/**
 * Settles the signals of saved strategies by the exits of the version that created them, on closed candles. Only reproducible results are
 * cached between rounds, so a node that dies loses nothing.
 */
export class StrategySettler {
  readonly #deps: SettleDeps;
  readonly #settler: TradeSettler;
  readonly #rangesEngine: Engine;
  readonly #signals: ReturnType<typeof createStrategySignals>;
  readonly #turns = new Map<string, Turn>();

  constructor(deps: SettleDeps) {
    this.#deps = deps;
    this.#settler = new TradeSettler(deps.newEngine());
    this.#rangesEngine = deps.newEngine();
    this.#signals = createStrategySignals(deps, deps.newEngine());
  }

  /** One round: some of the open signals. Returns how many were settled. */
  settleSome(): Promise<number> {
    return inBackground(() => this.#settleSome());
  }

  async #settleSome(): Promise<number> {
    const { db, config } = this.#deps;
    const open = await withSystem(db, (tx) => readOpenStrategySignals(tx, config.market, perRound));
    const marks = new SignalMarks();
    let settledCount = 0;
    // Sequential, to leave the exchange's limits to users' requests.
    for (const trade of open) {
      const settled = await this.#settle(trade, marks);
      if (settled === null) continue;
      await withSystem(db, (tx) => insertStrategyOutcome(tx, trade, settled.outcome, settled.basis));
      settledCount += 1;
    }
    await marks.store(db, config.market);
    return settledCount;
  }

  async #settle(
    trade: OpenStrategySignal,
    marks: SignalMarks,
  ): Promise<{ outcome: StrategyOutcome; basis: Interval } | null> {
    const { market, now = Date.now } = this.#deps;
    const { exchange, symbol, issuedAtMs, strategy } = trade;
    const deadlineMs = deadlineOfTrade(trade);
    const basis = finestFor(deadlineMs - issuedAtMs, stopSpanOf(strategy));
    const stepMs = intervalMs[basis];
    const untilMs = Math.min(now(), deadlineMs + stepMs);
    const limit = Math.ceil((lastClosedOpen(basis, untilMs) - issuedAtMs) / stepMs) + 1;
    if (limit < 1) return null;
    const result = await market.candles({ exchange, symbol, interval: basis, limit, endTimeMs: untilMs });
    if (!result.ok) return null;
    const { candles } = result.value.value;
    marks.note(trade, candles, stepMs);
    const rangeAt = await this.#rangesOf(trade, candles, untilMs);
    if (rangeAt === null) return null;
    const given = { candles, stepMs, rangeAt };
    const byLevels = this.#settler.settle(trade, { ...given, oppositeMs: null });
    // The signal at a candle's close acts at the next open: up to the candle of the exit.
    const lastMs = byLevels?.exitAtMs ?? (candles.time.at(-1) ?? 0) + stepMs;
    const entryMs = Math.ceil(issuedAtMs / stepMs) * stepMs;
    const oppositeMs = await this.#oppositeOf(trade, entryMs, lastMs);
    if (oppositeMs === undefined) return null;
    const outcome = oppositeMs === null ? byLevels : this.#settler.settle(trade, { ...given, oppositeMs });
    return outcome === null ? null : { outcome, basis };
  }

  /** Close of the first base candle of the holding time whose signal closes the trade; undefined when it is not yet known. */
  async #oppositeOf(trade: OpenStrategySignal, entryMs: number, lastMs: number): Promise<number | null | undefined> {
    const { strategy, direction: side } = trade;
    if (!closesBySignal(strategy, side)) return null;
    const stepMs = stopSpanOf(strategy);
    for (let closeMs = (Math.floor(entryMs / stepMs) + 1) * stepMs; closeMs <= lastMs; closeMs += stepMs) {
      const turn = await this.#turnAt(trade, closeMs);
      if (turn === undefined) return undefined;
      if (isClosedBy(turn, side, strategy)) return closeMs;
    }
    return null;
  }

  /** Undefined while the strategy's candles are unavailable. */
  async #turnAt(trade: OpenStrategySignal, closeMs: number): Promise<Turn | undefined> {
    const turns = this.#turns;
    const key = `${trade.exchange} ${trade.symbol} ${trade.version} ${closeMs}`;
    const known = turns.get(key);
    if (known !== undefined) return known;
    const signal = await this.#signals.signalAt(trade, closeMs);
    if (signal === undefined) return undefined;
    // Without the scores of its candles.
    const turn = { direction: signal.direction, ...withoutUndefined({ exits: signal.exits }) };
    turns.set(key, turn);
    const [oldest] = turns.keys();
    if (turns.size > TURNS_MAX && oldest !== undefined) turns.delete(oldest);
    return turn;
  }

  /** Null while ranges are unavailable: without the trailing stop the outcome would differ. */
  async #rangesOf(
    trade: OpenStrategySignal,
    candles: Candles,
    untilMs: number,
  ): Promise<((atMs: number) => number) | null> {
    const { trailing, atrPeriod: period } = trade.strategy;
    const fromMs = candles.time[0];
    if (trailing.mode !== 'atr' || fromMs === undefined) return () => Number.NaN;
    const range = { interval: baseOf(trade.strategy), period };
    const ranges = createRanges(this.#deps.market, this.#rangesEngine, untilMs - fromMs);
    await ranges.load(trade, [range], untilMs);
    const rangeAt = (atMs: number): number => ranges.at(trade, range, atMs);
    // `untilMs` lies within the base candle that follows the last closed one.
    return Number.isNaN(rangeAt(untilMs)) || Number.isNaN(rangeAt(fromMs)) ? null : rangeAt;
  }
}
