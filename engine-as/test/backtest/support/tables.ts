import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type {
  BacktestSummary,
  Candles,
  Costs,
  StrategyParams,
  Trade,
  Trailing,
} from '@sextant/workers/src/protocol/backtest.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { StrategyExits } from '../../../abi/strategy.ts';
import { engineTimeoutMs, type KernelResult, loadTestEngine, type Run, runKernel } from './kernel.ts';

/** 2025-01-01 00:00 UTC. */
export const startMs = 1_735_689_600_000;
export const hourMs = 3_600_000;

/**
 * One hand-worked case.
 * bars    a line per candle: open high low close, then in any order `L` or `S` (a signal at its close), `v0` (no volume).
 *         Candles are one hour long.
 * trades  `LONG 1@100 > 3@104 TP`: side, bar and price of the entry, bar and price of the exit, reason; then any of
 *         gross, fees, funding, slippage, net, stop, liq (-1: none) ... with the value worked out by hand, `ambiguous`, `clear`.
 * Unless the case says otherwise: notional 1000 (at 100: quantity 10), no costs, no leverage, stop 2 %, target 4 %.
 */
export interface Table {
  title: string;
  bars: string;
  params?: Partial<Omit<StrategyParams, 'trailing'>>;
  trailing?: Partial<Trailing>;
  costs?: Partial<Omit<Costs, 'funding'>>;
  /** `hour rate [mark]` a line, hours since the first candle (fractions allowed). */
  funding?: string;
  /** `open high low` a line per candle. */
  mark?: string;
  /** Quarter-hour candles from the open of candle `from` on, in the form of `bars`; only those with an index in `present`. */
  fine?: { from: number; bars: string; present?: number[] };
  /** True range average per candle. */
  atr?: number[];
  /** Decisions of a strategy beside the parameters, and the average true range per candle that scales its levels. */
  exits?: Partial<StrategyExits>;
  range?: number[];
  scoredCount?: number;
  trades: string[];
  summary?: Partial<BacktestSummary>;
  equity?: number[];
}

const rows = (text: string): string[][] =>
  text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '')
    .map((line) => line.split(/\s+/));

export function runOf(table: Table): Run {
  const lines = rows(table.bars);
  const numbers = (text: string, k: number): Float64Array => Float64Array.from(rows(text), (row) => Number(row[k]));
  const signal = (row: string[]): number => (row.includes('L') ? 1 : row.includes('S') ? -1 : 0);
  const { funding, mark, fine, atr, scoredCount } = table;
  return {
    candles: candlesOf(table.bars, startMs, hourMs),
    score: Float64Array.from(lines, signal),
    params: {
      weights: {},
      entryThreshold: 0.5,
      stopLossFraction: 0.02,
      takeProfitFraction: 0.04,
      ...table.params,
      trailing: {
        enabled: table.trailing !== undefined,
        callbackFraction: 0.01,
        stepFraction: 0,
        ...table.trailing,
      },
    },
    costs: {
      takerFeeFraction: 0,
      makerFeeFraction: 0,
      slippageFraction: 0,
      stopSlippageFraction: 0,
      takeProfitOrder: 'market',
      initialEquity: 1000,
      notional: 1000,
      leverage: 1,
      maintenanceMarginFraction: 0.005,
      ...table.costs,
      ...(funding !== undefined && { funding: fundingOf(funding) }),
    },
    ...(mark !== undefined && {
      markPrices: { open: numbers(mark, 0), high: numbers(mark, 1), low: numbers(mark, 2) },
    }),
    ...(fine !== undefined && { fineCandles: fineOf(fine) }),
    ...(atr !== undefined && { atr: Float64Array.from(atr) }),
    ...(scoredCount !== undefined && { scoredCount }),
    ...(table.exits !== undefined && { exits: table.exits }),
    ...(table.range !== undefined && { range: Float64Array.from(table.range) }),
  };
}

function fineOf({ from, bars, present }: NonNullable<Table['fine']>): Candles {
  const all = candlesOf(bars, startMs + from * hourMs, hourMs / 4);
  return present === undefined ? all : candlesAt(all, present);
}

/** The candles with these indices. */
export function candlesAt(candles: Candles, indices: readonly number[]): Candles {
  const pick = (column: Float64Array): Float64Array => Float64Array.from(indices, (i) => column[i]!);
  const { time, open, high, low, close, volume } = candles;
  return {
    time: pick(time),
    open: pick(open),
    high: pick(high),
    low: pick(low),
    close: pick(close),
    volume: pick(volume),
  };
}

function candlesOf(text: string, firstMs: number, intervalMs: number): Candles {
  const lines = rows(text);
  const column = (k: number): Float64Array => Float64Array.from(lines, (row) => Number(row[k]));
  return {
    time: Float64Array.from(lines, (_, i) => firstMs + i * intervalMs),
    open: column(0),
    high: column(1),
    low: column(2),
    close: column(3),
    volume: Float64Array.from(lines, (row) => (row.includes('v0') ? 0 : 1)),
  };
}

function fundingOf(text: string): NonNullable<Costs['funding']> {
  const lines = rows(text);
  const time = Float64Array.from(lines, ([hour]) => startMs + Number(hour) * hourMs);
  const rate = Float64Array.from(lines, (row) => Number(row[1]));
  if (lines.some((row) => row[2] === undefined)) return { time, rate };
  return { time, rate, mark: Float64Array.from(lines, (row) => Number(row[2])) };
}

/** Declares one test per table. */
export function describeTables(subject: string, tables: Table[]): void {
  describe(subject, () => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await loadTestEngine();
    }, engineTimeoutMs);
    it.each(tables)('$title', (table) => {
      const result = runKernel(engine, runOf(table));
      expect(result.status).toBe(0);
      expectTrades(result, table);
      for (const [name, want] of Object.entries(table.summary ?? {})) {
        const got = result.summary[name as keyof BacktestSummary];
        if (typeof want === 'number') expect(got, name).toBeCloseTo(want, 9);
        else expect(got, name).toEqual(want);
      }
      table.equity?.forEach((want, i) => expect(result.equity[i], `equity[${i}]`).toBeCloseTo(want, 9));
    });
  });
}

function expectTrades(result: KernelResult, table: Table): void {
  const short = (trade: Trade): string =>
    `${trade.side} ${trade.entryIndex}@${trade.entryPrice} > ${trade.exitIndex}@${trade.exitPrice} ${trade.closeReason}`;
  expect(result.trades.length, `got ${result.trades.map(short).join(' | ') || 'no trade'}`).toBe(table.trades.length);
  table.trades.forEach((text, i) => expectTrade(result.trades[i]!, text));
}

function expectTrade(trade: Trade, text: string): void {
  const [side, entry, , exit, reason, ...more] = text.split(/\s+/);
  const [entryIndex, entryPrice] = entry!.split('@').map(Number);
  const [exitIndex, exitPrice] = exit!.split('@').map(Number);
  expect([trade.side, trade.entryIndex, trade.exitIndex, trade.closeReason], text).toEqual([
    side,
    entryIndex,
    exitIndex,
    reason,
  ]);
  const near = (name: string, got: number, want: number): void => {
    expect(Math.abs(got - want), `${text}: ${name} is ${got}, by hand ${want}`).toBeLessThanOrEqual(
      1e-9 * Math.max(1, Math.abs(want)),
    );
  };
  near('entry price', trade.entryPrice, entryPrice!);
  near('exit price', trade.exitPrice, exitPrice!);
  const figures: Record<string, number> = {
    gross: trade.grossPnl,
    fees: trade.fees,
    funding: trade.funding,
    slippage: trade.slippage,
    net: trade.netPnl,
    stop: trade.stopLossPrice,
    liq: trade.liquidationPrice ?? -1,
    quantity: trade.quantity,
    margin: trade.margin,
    roe: trade.returnOnMargin,
    adverse: trade.adverseExcursionFraction,
    favourable: trade.favourableExcursionFraction,
  };
  for (let k = 0; k < more.length; k++) {
    const word = more[k]!;
    if (word === 'ambiguous' || word === 'clear') expect(trade.isAmbiguous, text).toBe(word === 'ambiguous');
    else if (word in figures) near(word, figures[word]!, Number(more[++k]));
    else throw new Error(`${text}: what is "${word}"?`);
  }
}
