import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../../workers/test/support/randomRuns.ts';
import { instruments } from '../../../../fakes/exchanges/market/instruments.ts';
import { readRecordings } from '../../../../fakes/exchanges/market/recording.ts';
import { createReplayMarket, nameReplay } from '../../../../fakes/exchanges/market/replay.ts';
import { type Candle, createSeededMarket, type Market } from '../../../../fakes/exchanges/market/seededMarket.ts';
import { type Listing, listingOf, type VenueId } from '../../../../fakes/exchanges/market/venues.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const nowMs = Date.UTC(2025, 5, 11, 13, 37, 42);
const listing = (base: string, venue: VenueId = 'binance'): Listing =>
  listingOf(
    venue,
    instruments.find((each) => each.base === base)!,
  )!;

/** Three hours of 15m candles by hand: 100, 101, ... and a wick in the fourth. */
const startMs = Date.UTC(2023, 0, 2, 6);
const rows = Array.from({ length: 12 }, (_, i) => {
  const [open, close] = [100 + i, 101 + i];
  return [startMs + i * 15 * MINUTE, open, i === 3 ? 120 : close + 0.5, open - 0.5, close, 10 + i];
});
const fundingMs = Date.UTC(2023, 0, 2, 8) + 13;

let folder: string;
let market: Market;
const shiftMs = Math.floor((nowMs - (startMs + 12 * 15 * MINUTE)) / DAY) * DAY;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-replay-'));
  const table = (header: string, lines: (number | undefined)[][]): string =>
    [header, ...lines.map((line) => line.join(','))].join('\n');
  writeFileSync(join(folder, 'SOLUSDT-15m.csv'), table('time,open,high,low,close,volume', rows));
  writeFileSync(join(folder, 'SOLUSDT-funding-8h.csv'), table('time,rate', [[fundingMs, 0.00042]]));
  market = createReplayMarket(createSeededMarket(7), readRecordings(folder), nowMs);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const sol = listing('SOL');
const price = (ticks: number): number => ticks / 10 ** sol.priceDecimals;
const recorded = (interval: string, each = sol): Candle[] =>
  market.candles(each, interval, startMs + shiftMs, startMs + shiftMs + 180 * MINUTE, nowMs);

describe('a replayed recording', () => {
  it('returns each candle, moved by whole days to the latest possible time', () => {
    const bars = recorded('15m');
    expect(bars.map(({ openTimeMs }) => openTimeMs - shiftMs)).toEqual(rows.map(([time]) => time));
    expect(bars.map(({ open, high, low, close }) => [open, high, low, close].map(price))).toEqual(
      rows.map(([, open, high, low, close]) => [open, high, low, close]),
    );
    expect(bars.map(({ lots }) => lots / 10 ** sol.quantityDecimals)).toEqual(rows.map((row) => row[5]));
    const endMs = startMs + shiftMs + 180 * MINUTE;
    expect(endMs).toBeLessThanOrEqual(nowMs);
    expect(endMs).toBeGreaterThan(nowMs - DAY);
  });

  it('is aggregated exactly at coarser intervals', () => {
    // Bars 0 to 3 open at 100 and close at 104, with the wick to 120.
    const [first] = recorded('1h');
    expect([first!.open, first!.high, first!.low, first!.close].map(price)).toEqual([100, 120, 99.5, 104]);
    expect(first!.lots / 10 ** sol.quantityDecimals).toBe(10 + 11 + 12 + 13);
  });

  it('is subdivided inside its bars at finer intervals', () => {
    const minutes = recorded('1m');
    expect(minutes).toHaveLength(180);
    const bars = recorded('15m');
    bars.forEach((bar, i) => {
      const parts = minutes.slice(i * 15, i * 15 + 15);
      expect(parts[0]!.open).toBe(bar.open);
      expect(parts.at(-1)!.close).toBe(bar.close);
      expect(Math.max(...parts.map(({ high }) => high))).toBe(bar.high);
      expect(Math.min(...parts.map(({ low }) => low))).toBe(bar.low);
      expect(parts.reduce((sum, { lots }) => sum + lots, 0)).toBe(bar.lots);
    });
  });

  it('continues into the synthetic market without a jump, before and after', () => {
    const fromMs = startMs + shiftMs - 600 * MINUTE;
    const bars = market.candles(sol, '15m', fromMs, fromMs + 1500 * MINUTE, nowMs + DAY);
    expect(bars).toHaveLength(100);
    for (let i = 1; i < bars.length; i++) {
      const [before, after] = [bars[i - 1]!, bars[i]!];
      expect(after.openTimeMs - before.openTimeMs).toBe(15 * MINUTE);
      expect(Math.abs(after.open - before.close)).toBeLessThanOrEqual(1);
    }
  });

  it('returns the recorded funding at its time and the default elsewhere', () => {
    const atMs = Date.UTC(2023, 0, 2, 8) + shiftMs;
    expect(market.fundingRate(sol, atMs, nowMs)).toBe(0.00042);
    expect(market.fundingRate(sol, atMs + 8 * 3_600_000, nowMs)).not.toBe(0.00042);
  });

  it('quotes the recorded price while it plays', () => {
    const inside = startMs + shiftMs + 20 * MINUTE;
    const quote = market.quote(sol, inside);
    expect(price(quote.last)).toBeGreaterThanOrEqual(100.5);
    expect(price(quote.last)).toBeLessThanOrEqual(102.5);
    expect(quote.bid <= quote.last && quote.last <= quote.ask && quote.bid < quote.ask).toBe(true);
  });

  it('leaves other symbols to the seeded market', () => {
    const btc = listing('BTC');
    const request = (each: Market): Candle[] => each.candles(btc, '1h', nowMs - DAY, nowMs, nowMs);
    expect(request(market)).toEqual(request(createSeededMarket(7)));
  });

  it('differs slightly on the other exchanges', () => {
    const [binance] = recorded('1h');
    const [okx] = recorded('1h', listing('SOL', 'okx'));
    expect(okx!.close).not.toBe(binance!.close);
    expect(Math.abs(okx!.close / binance!.close - 1)).toBeLessThan(0.0003);
  });
});

describe('the name of a replayed world', () => {
  const nameAt = (ms: number, seed = '7'): string => nameReplay(seed, readRecordings(folder), ms);

  it('HIST-123 is the same while the recording stays where it is, and another one once it is moved', () => {
    // The recording ends at 9:00 of its day: it moves at 9:00.
    const movesMs = startMs + shiftMs + 180 * MINUTE + DAY;
    expect(nameAt(movesMs - 1)).toBe(nameAt(nowMs));
    expect(nameAt(movesMs)).not.toBe(nameAt(nowMs));
    expect(nameAt(nowMs, '8')).not.toBe(nameAt(nowMs));
  });

  it('HIST-123 is another one for a file that differs in one figure', () => {
    const other = mkdtempSync(join(tmpdir(), 'sextant-replay-'));
    const write = (last: number): void => {
      const lines = rows.map((row, i) => (i === 11 ? [...row.slice(0, 5), last] : row).join(','));
      writeFileSync(join(other, 'SOLUSDT-15m.csv'), ['time,open,high,low,close,volume', ...lines].join('\n'));
    };
    const name = (): string => nameReplay('7', readRecordings(other), nowMs);
    write(21);
    const first = name();
    write(21.5);
    expect(name()).not.toBe(first);
    write(21);
    expect(name()).toBe(first);
    rmSync(other, { recursive: true });
  });
});

describe('readRecordings', () => {
  it.each([
    ['time,open,high,low,close\n1,2,3,4,5', 'the first line must be time,open,high,low,close,volume'],
    ['time,open,high,low,close,volume\n60000,1,2,0.5,1,5\n60000,1,2,0.5,1,5', 'line 3 is not a valid candle'],
    ['time,open,high,low,close,volume\n60000,1,2,0.5,1,5\n120000,1,x,0.5,1,5', 'line 3 does not hold 6 numbers'],
    ['time,open,high,low,close,volume\n60000,1,0.9,0.5,1,5\n120000,1,2,0.5,1,5', 'line 2 is not a valid candle'],
  ])('rejects an invalid file and names the line', (text, message) => {
    const broken = mkdtempSync(join(tmpdir(), 'sextant-replay-'));
    try {
      writeFileSync(join(broken, 'BTCUSDT-1m.csv'), text);
      expect(() => readRecordings(broken)).toThrow(message);
    } finally {
      rmSync(broken, { recursive: true });
    }
  });

  it('reports a folder without a recording', () => {
    const empty = mkdtempSync(join(tmpdir(), 'sextant-replay-'));
    expect(() => readRecordings(empty)).toThrow('no file is named like BTCUSDT-15m.csv');
    rmSync(empty, { recursive: true });
  });
});

/** A week of minutes in ticks of 0.1, and its 15m candles added up by hand. */
function recordedWeek(): { minutes: number[][]; quarters: number[][] } {
  const random = seededRandom(5);
  const ticks = (): number => Math.floor(random() * 60) / 10;
  let close = 47_000;
  const minutes = Array.from({ length: 7 * 24 * 60 }, (_, i) => {
    const open = close;
    close = Math.round((open + ticks() - ticks()) * 10) / 10;
    const high = Math.round((Math.max(open, close) + ticks()) * 10) / 10;
    const low = Math.round((Math.min(open, close) - ticks()) * 10) / 10;
    return [startMs + i * MINUTE, open, high, low, close, 1 + (i % 9)];
  });
  const quarters = Array.from({ length: minutes.length / 15 }, (_, i) => {
    const parts = minutes.slice(i * 15, i * 15 + 15);
    const column = (field: number): number[] => parts.map((row) => row[field]!);
    return [parts[0]![0]!, parts[0]![1]!, Math.max(...column(2)), Math.min(...column(3)), parts[14]![4]!];
  });
  return { minutes, quarters };
}

describe('a replay of recorded minutes', () => {
  it('returns the 15m candles of a week', () => {
    const { minutes, quarters } = recordedWeek();
    const weekFolder = mkdtempSync(join(tmpdir(), 'sextant-replay-'));
    const lines = ['time,open,high,low,close,volume', ...minutes.map((row) => row.join(','))];
    writeFileSync(join(weekFolder, 'BTCUSDT-1m.csv'), lines.join('\n'));
    const recording = createReplayMarket(createSeededMarket(7), readRecordings(weekFolder, ['BTCUSDT']), nowMs);
    rmSync(weekFolder, { recursive: true });
    const shift = Math.floor((nowMs - (minutes.at(-1)![0]! + MINUTE)) / DAY) * DAY;
    const endMs = minutes.at(-1)![0]! + MINUTE + shift;
    const bars = recording.candles(listing('BTC'), '15m', startMs + shift, endMs, nowMs);
    const given = bars.map(({ openTimeMs, open, high, low, close }) => [
      openTimeMs - shift,
      ...[open, high, low, close].map((ticks) => ticks / 10),
    ]);
    expect(given).toEqual(quarters);
  });
});
