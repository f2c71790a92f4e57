import { ACCOUNT_SKIP_COUNT } from '@sextant/engine-as/abi/portfolio.ts';
import {
  ACCOUNT_TRADE_LENGTH,
  frameSlot,
  FRAME_LENGTH,
  LIMITS_LENGTH,
  limitSlot,
  PORTFOLIO_LENGTH,
  portfolioSlot,
  SUMMARY_LENGTH,
} from '@sextant/engine-as/abi/records.ts';
import type { Engine } from '../../engine/engine.ts';
import type { PortfolioLimits } from '../../protocol/portfolio.ts';
import { pushAddresses, pushFrame, type PreparedRules, type SimulatedInput } from '../backtest.ts';

/** One symbol of an account as the kernel takes it: its columns, scores and rules are in the arena. */
export interface Member {
  input: SimulatedInput;
  prepared: PreparedRules;
}

/** Addresses of an account in the arena. */
export interface AccountAt {
  engine: Engine;
  portfolioAt: number;
  frames: number[];
  clock: Float64Array<ArrayBuffer>;
}

/** What one run wrote; symbols are in the order in which they were pushed. */
export interface AccountRun {
  /** AccountTrade records, f64[ACCOUNT_TRADE_LENGTH] each, in the order of the closes. */
  trades: Float64Array<ArrayBuffer>;
  /** f64 of each step of the clock, at its closes. */
  equity: Float64Array<ArrayBuffer>;
  longNotional: Float64Array<ArrayBuffer>;
  shortNotional: Float64Array<ArrayBuffer>;
  margin: Float64Array<ArrayBuffer>;
  openCount: Float64Array<ArrayBuffer>;
  /** SUMMARY_LENGTH of each symbol: counts and net PnL only. */
  summaries: Float64Array<ArrayBuffer>[];
  /** ACCOUNT_SKIP_COUNT of each symbol. */
  skips: Int32Array<ArrayBuffer>[];
  /** -1: the equity was never used up. */
  ruinStep: number;
}

/** Opens of the scored candles of all symbols, each once, ascending, epoch ms. */
export function clockOf(members: readonly SimulatedInput[]): Float64Array<ArrayBuffer> {
  let clock = new Float64Array();
  for (const { candles, scoredCount } of members) {
    const own = candles.time.subarray(candles.time.length - scoredCount);
    if (!holdsAll(clock, own)) clock = mergeTimes(clock, own);
  }
  return clock;
}

/** Whether every time of `own` is in `clock`; both ascend. Most symbols of an account trade at the same times. */
function holdsAll(clock: Float64Array, own: Float64Array): boolean {
  let k = 0;
  for (let i = 0; i < own.length; i++, k++) {
    const time = own[i] ?? Number.NaN;
    while (k < clock.length && (clock[k] ?? Number.NaN) < time) k++;
    if (clock[k] !== time) return false;
  }
  return true;
}

/** The times of both, each once; both ascend. */
function mergeTimes(clock: Float64Array, own: Float64Array): Float64Array<ArrayBuffer> {
  const merged = new Float64Array(clock.length + own.length);
  let count = 0;
  for (let a = 0, b = 0; a < clock.length || b < own.length; count++) {
    const time = Math.min(clock[a] ?? Infinity, own[b] ?? Infinity);
    merged[count] = time;
    if (clock[a] === time) a++;
    if (own[b] === time) b++;
  }
  return merged.slice(0, count);
}

/** The limits record of abi/records.ts. */
export function limitsRow(limits: PortfolioLimits, initialEquity: number): Float64Array<ArrayBuffer> {
  const row = new Float64Array(LIMITS_LENGTH);
  row[limitSlot.initialEquity] = initialEquity;
  row[limitSlot.positionsMax] = limits.positionsMax ?? 0;
  row[limitSlot.openingsMax] = limits.openingsMax ?? 0;
  row[limitSlot.dailyLossPct] = limits.dailyLossPct ?? 0;
  row[limitSlot.stopStreak] = limits.stopStreak ?? 0;
  row[limitSlot.cooldownMs] = (limits.cooldownMinutes ?? 0) * 60_000;
  row[limitSlot.drawdownPct] = limits.drawdownPct ?? 0;
  row[limitSlot.grossMax] = limits.grossMaxFraction ?? 0;
  row[limitSlot.netMax] = limits.netMaxFraction ?? 0;
  row[limitSlot.stopLossMax] = limits.stopLossMaxFraction ?? 0;
  row[limitSlot.isStopFirst] = (limits.skipsStopBeyondLiquidation ?? true) ? 1 : 0;
  return row;
}

/** Writes an account over `members`; `portfolioPrepare` comes next. */
export function pushAccount(engine: Engine, members: readonly Member[], limits: Float64Array): AccountAt {
  const frames = members.map(({ input, prepared }) => pushFrame(engine, input, prepared).frameAt);
  const clock = clockOf(members.map(({ input }) => input));
  const steps = clock.length;
  const slots = new Int32Array(PORTFOLIO_LENGTH);
  slots[portfolioSlot.symbolCount] = members.length;
  slots[portfolioSlot.frames] = pushAddresses(engine, frames);
  slots[portfolioSlot.stepCount] = steps;
  slots[portfolioSlot.clock] = engine.push(clock);
  slots[portfolioSlot.limits] = engine.push(limits);
  for (const name of columns) slots[portfolioSlot[name]] = engine.reserve(steps);
  slots[portfolioSlot.skips] = engine.reserveBytes(4 * members.length * ACCOUNT_SKIP_COUNT);
  const portfolioAt = pushAddresses(engine, [...slots]);
  return { engine, portfolioAt, frames, clock };
}

const columns = ['equity', 'longNotional', 'shortNotional', 'margin', 'openCount'] as const;

/** Copies out what the last run wrote. */
export function readAccount({ engine, portfolioAt, frames, clock }: AccountAt): AccountRun {
  const slots = engine.i32View(portfolioAt, PORTFOLIO_LENGTH).slice();
  const at = (name: keyof typeof portfolioSlot): number => slots[portfolioSlot[name]] ?? 0;
  const column = (name: (typeof columns)[number]) => engine.pull(at(name), clock.length);
  const summaryOf = (frame: number): number => engine.i32View(frame, FRAME_LENGTH)[frameSlot.summary] ?? 0;
  return {
    trades: engine.pull(at('trades'), at('tradeCount') * ACCOUNT_TRADE_LENGTH),
    equity: column('equity'),
    longNotional: column('longNotional'),
    shortNotional: column('shortNotional'),
    margin: column('margin'),
    openCount: column('openCount'),
    summaries: frames.map((frame) => engine.pull(summaryOf(frame), SUMMARY_LENGTH)),
    skips: frames.map((_, k) => engine.i32View(at('skips') + 4 * k * ACCOUNT_SKIP_COUNT, ACCOUNT_SKIP_COUNT).slice()),
    ruinStep: at('ruinStep'),
  };
}
