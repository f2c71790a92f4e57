import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { expect, it } from 'vitest';
import type { ChooseDeps, ChooseFor } from '../../../../src/features/backtest/portfolio/chooseSymbols.ts';
import { chooseSymbols } from '../../../../src/features/backtest/portfolio/chooseSymbols.ts';
import type { PortfolioBody } from '../../../../src/features/backtest/portfolio/contract.ts';
import type { FuturesSymbol } from '../../../../src/features/market/port.ts';
import { reject } from '../../../../src/platform/errors.ts';

const dayMs = Date.UTC(2026, 0, 10);
const COUNT = 500;
const names = Array.from({ length: COUNT }, (_, n) => `S${String(n).padStart(3, '0')}USDT`);
const symbolOf = (symbol: string): FuturesSymbol => ({
  symbol,
  base: symbol.slice(0, 4),
  tickSize: 0.01,
  stepSize: 0.001,
  minNotional: 5,
  maxLeverage: 50,
  maxQuantity: null,
  listedAtMs: Date.UTC(2024, 0, 1),
  status: 'trading',
  fundingHours: 8,
});

/** A stored list of 500 symbols, whose turnover grows with their number. Counts the reads of the store. */
function createDeps(stop: AbortController, stopAt?: string) {
  const reads: string[] = [];
  const note = (name: string): void => {
    reads.push(name);
    if (name === stopAt) stop.abort();
  };
  const unused = (name: string) => () => {
    note(name);
    return Promise.resolve(reject('deadline_exceeded'));
  };
  const deps = {
    market: {
      symbols: () => {
        note('symbols');
        return Promise.resolve(
          stop.signal.aborted ? reject('deadline_exceeded') : ok({ value: names.map(symbolOf), fetchedAtMs: dayMs }),
        );
      },
      turnover: unused('turnover'),
      prices: unused('prices'),
    },
    history: {
      readUniverse: () => {
        note('readUniverse');
        return Promise.resolve(ok({ day: dayMs - DAY_MS, symbols: names }));
      },
      readListings: () => {
        note('readListings');
        return Promise.resolve(ok([]));
      },
      readListing: unused('readListing'),
      readDay: (_exchange: string, symbols: readonly string[], day: number) => {
        note('readDay');
        const candles = symbols.map((symbol, n) => [symbol, { close: 100, volume: 1e6 + n }] as const);
        return Promise.resolve(ok(new Map(day === dayMs - DAY_MS ? candles : [])));
      },
    },
    now: () => dayMs + 30 * DAY_MS,
  } as unknown as ChooseDeps;
  return { deps, reads };
}
const body = { exchange: 'binance', endTime: dayMs + 100 * 3_600_000, limit: 100 } as PortfolioBody;
const settings = { whitelist: '', blacklist: '', max_symbols: 3 };
const forRun = (signal: AbortSignal) => ({ auto: { settings }, interval: '1h', signal }) as unknown as ChooseFor;

it('HIST-073 ranks a list of 500 symbols by one read of their daily candles', async () => {
  const stop = new AbortController();
  const { deps, reads } = createDeps(stop);
  const chosen = await chooseSymbols(deps, body, forRun(stop.signal));
  if (!chosen.ok) throw new Error(chosen.error.message);
  expect(chosen.value.listings.map(({ symbol }) => symbol)).toEqual(['S499USDT', 'S498USDT', 'S497USDT']);
  expect(chosen.value.listedOnMs).toBe(dayMs - DAY_MS);
  expect(reads.toSorted()).toEqual(['readDay', 'readListings', 'readUniverse', 'symbols']);
});

it.each([
  ['readUniverse', ['readUniverse']],
  ['readListings', ['readListings', 'readUniverse']],
])('HIST-073 reads no candles after a cancel during %s', async (stopAt, expected) => {
  const stop = new AbortController();
  const { deps, reads } = createDeps(stop, stopAt);
  const chosen = await chooseSymbols(deps, body, forRun(stop.signal));
  expect(chosen.ok).toBe(false);
  const ofStore = reads.filter((name) => name.startsWith('read')).toSorted();
  expect(ofStore).toEqual(expected);
});
