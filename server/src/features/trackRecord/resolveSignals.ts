import type { MarketMode } from '../../config.ts';
import { type Db, withSystem } from '../../platform/db/scope.ts';
import { lastClosedOpen } from '../market/intervals.ts';
import { intervalMs, intervals } from '@sextant/engine-as/abi/intervals.ts';
import type { Interval, Market } from '../market/port.ts';
import { inBackground } from '../../platform/readPriority.ts';
import { CANDLES_MAX, deadlineOf, resolveSignal } from '@sextant/workers/src/signals/outcome.ts';
import { SignalMarks } from './signalMarks.ts';
import { insertOutcome, type OpenSignal, readOpen } from './signalRepository.ts';

export interface ResolveDeps {
  db: Db;
  market: Market;
  config: { market: MarketMode };
  now?: () => number;
}

const perRound = 500;
const finest = intervals.filter((interval) => interval !== '1d');

/** Interval for judging a signal. Depends only on its horizon, so that the result is the same at any time. */
export const basisOf = (signal: OpenSignal): Interval => finestFor(deadlineOf(signal) - signal.issuedAtMs);

/** The finest interval that needs no more than CANDLES_MAX candles. @param stepMsMax no candles longer than this */
export const finestFor = (spanMs: number, stepMsMax: number = intervalMs['4h']): Interval =>
  finest.find((interval) => spanMs / intervalMs[interval] <= CANDLES_MAX || intervalMs[interval] === stepMsMax) ?? '4h';

/** One round: checks every open signal on closed candles. Returns how many were resolved. */
export async function resolveSignals({ db, market, config, now = Date.now }: ResolveDeps): Promise<number> {
  const open = await withSystem(db, (tx) => readOpen(tx, config.market, perRound));
  const marks = new SignalMarks();
  let resolvedCount = 0;
  // Sequential, to leave the exchange's limits to users' requests.
  for (const signal of open) {
    const basis = basisOf(signal);
    const step = intervalMs[basis];
    const untilMs = Math.min(now(), deadlineOf(signal) + step);
    const limit = Math.ceil((lastClosedOpen(basis, untilMs) - signal.issuedAtMs) / step) + 1;
    if (limit < 1) continue;
    const { exchange, symbol } = signal;
    const result = await inBackground(() =>
      market.candles({ exchange, symbol, interval: basis, limit, endTimeMs: untilMs }),
    );
    if (!result.ok) continue;
    const { candles } = result.value.value;
    marks.note(signal, candles, step);
    const outcome = resolveSignal(signal, candles, step);
    if (outcome === null) continue;
    await withSystem(db, (tx) => insertOutcome(tx, signal.id, outcome, basis));
    resolvedCount += 1;
  }
  await marks.store(db, config.market);
  return resolvedCount;
}
