import { rangesAt } from '@sextant/workers/src/positions/rangesAt.ts';
import { describe, expect, it } from 'vitest';
import { levelMarks } from '../../../src/features/positions/table/OpenTable.tsx';
import { candleCountFor, intervalFor, positionModel, stopsOf } from '../../../src/features/positions/positionShapes.ts';
import { polylines } from '../../../src/features/positions/performance/PerformancePanels.tsx';
import {
  accountOf,
  asItMightBe,
  CANDLES_MAX,
  recordedEnding,
  replayEnding,
  whatIfOf,
  windowOf,
} from '../../../src/features/positions/whatif/runWhatIf.ts';
import { viewWith } from '../../support/positions.ts';

const minute = 60_000;
const candles = (closes: number[]) => {
  const column = Float64Array.from(closes);
  const time = Float64Array.from(closes, (_, i) => i * minute);
  return { time, open: column, high: column, low: column, close: column, volume: column };
};

describe('the what-if of a closed position', () => {
  const closed = viewWith({
    closedAt: 5 * minute,
    closePrice: 104,
    closeReason: 'TP',
    pnl: 40,
    fees: 1.02,
    openedAt: 30_000,
  });

  it('starts with what it was, in percent of the entry', () => {
    expect(whatIfOf(closed)).toEqual({ stopPct: 2, targetPct: 4, trailing: null, sizedBy: null });
  });

  it('moves the levels of a long and of a short the right way, unarmed and from the entry', () => {
    const trailing = { mode: 'atr', atrMultiplier: 2, atrPeriod: 14, activationPct: 1 } as const;
    const change = { stopPct: 1, targetPct: 8, trailing, sizedBy: null };
    expect(asItMightBe(closed, change)).toMatchObject({
      stopPrice: 99,
      targetPrice: 108,
      isArmed: false,
      bestPrice: 100,
      trailing: { mode: 'atr', atrMultiplier: 2, activationFraction: 0.01 },
      atr: { interval: '1h', period: 14 },
    });
    const short = asItMightBe(viewWith({ ...closed, side: 'SHORT' }), change);
    expect([short.stopPrice, short.targetPrice]).toEqual([101, 92]);
  });

  it('keeps the recorded size, or is sized on the saved settings as if nothing else was open', () => {
    const change = whatIfOf(closed);
    expect(asItMightBe(closed, change)).toMatchObject({ quantity: 10, leverage: 10 });
    const sizedBy = { riskPct: 0.5, leverage: 3 };
    expect(asItMightBe(closed, { ...change, sizedBy }).leverage).toBe(3);
    const account = { mode: 'risk', balanceUsdt: 2000, riskFraction: 0.005, freeUsdt: 2000 };
    expect(accountOf({ balance_usdt: 2000, base_usdt: 300 }, 0.5)).toEqual({ ...account, baseUsdt: 300 });
    expect(accountOf({ balance_usdt: 2000, base_usdt: null }, 0.5)).toEqual({ ...account, baseUsdt: 2000 });
  });

  it('replays whole minutes from the opening to a day after the close, as far as candles go', () => {
    expect(windowOf(closed, 10 * minute)).toEqual({ startMs: minute, endMs: 10 * minute, count: 9, isCut: false });
    expect(windowOf(closed, 59_000)).toBeNull();
    const long = windowOf({ openedAt: 0, closedAt: 10_000 * minute }, 1e12);
    expect(long).toMatchObject({ count: CANDLES_MAX, isCut: true });
  });

  it('reckons each ending by hand: gross, less both fees', () => {
    const position = asItMightBe(closed, whatIfOf(closed));
    const end = { atMs: 1, price: 104, reason: 'TP', exitFee: 0.52, isAmbiguous: false } as const;
    const ended = replayEnding(position, candles([100]), { closed: end, stops: new Float64Array(), armedAtMs: null });
    expect(ended.gross).toBeCloseTo(40, 9);
    expect(ended.net).toBeCloseTo(40 - 0.5 - 0.52, 9);
    expect(recordedEnding(closed)).toMatchObject({ reason: 'TP', gross: 40, net: 38.98 });
    const open = replayEnding(position, candles([100, 101]), {
      closed: null,
      stops: new Float64Array(),
      armedAtMs: null,
    });
    expect(open).toMatchObject({ reason: null, price: 101, atMs: 2 * minute });
    expect(open.net).toBeCloseTo(10 - 0.5 - 0.505, 9);
  });

  it('knows a range only once its candle has closed', () => {
    const ranges = rangesAt([0, minute, 2 * minute], [minute, 3 * minute], [7, 8]);
    expect([...ranges]).toEqual([7, 7, 8]);
    expect([...rangesAt([0], [5 * minute], [7])]).toEqual([NaN]);
  });
});

describe('the chart of a position', () => {
  it('draws the stop from the opening on, and a step where it moved', () => {
    const position = { initialStopLoss: 98, openedAt: 90_000, closedAt: 4 * minute };
    const moves = [{ atMs: 3 * minute, to: 99 }];
    const times = [0, 1, 2, 3, 4, 5].map((at) => at * minute);
    expect(stopsOf(position, moves, times, minute)).toEqual([null, 98, 99, 99, 99, null]);
  });

  it('has entry and exit on their candles, and every level, a far liquidation too', () => {
    const model = positionModel(candles([100, 101, 102, 103]), minute, {
      position: viewWith({ openedAt: minute + 1, liquidationApprox: 90 }),
      moves: [],
      price: 103,
      net: 29,
    });
    expect(model.trades).toEqual([
      { side: 'LONG', entryPrice: 100, exitPrice: 103, netPnl: 29, entryIndex: 1, exitIndex: 3 },
    ]);
    expect(model.levels?.map(({ label }) => label)).toEqual(['target', 'entry', 'stop', 'liquidation']);
  });

  it('that was opened in the forming candle stands there with its stop; the price of now does, too', () => {
    const opened = { position: viewWith({ openedAt: 4 * minute + 1 }), moves: [], price: 103, net: 29 };
    const model = positionModel(candles([100, 101, 102, 103]), minute, { ...opened, isForming: true });
    expect(model.trades[0]).toMatchObject({ entryIndex: 4, exitIndex: 4 });
    expect(model.stops).toEqual([null, null, null, null, 98]);
    const earlier = { ...opened, position: viewWith({ openedAt: minute + 1 }), isForming: true };
    expect(positionModel(candles([100, 101, 102, 103]), minute, earlier).trades[0]).toMatchObject({
      entryIndex: 1,
      exitIndex: 4,
    });
  });

  it('takes coarser candles for a longer life', () => {
    const lives = [minute, 61 * minute, 800 * minute, 3000 * minute, 1e9];
    expect(lives.map(intervalFor)).toEqual(['1m', '5m', '15m', '1h', '4h']);
    // Minutes of a young life are wide enough for the way of its stop to be seen.
    expect([candleCountFor(minute, '1m'), candleCountFor(minute, '5m'), candleCountFor(90 * minute, '1m')]).toEqual([
      90, 240, 240,
    ]);
  });
});

describe('lines to scale', () => {
  it('puts levels in their order, the last price left out when there is none', () => {
    const marks = levelMarks(viewWith({ liquidationApprox: 94 }), 101);
    expect(marks.map(({ name }) => name)).toEqual(['liquidated at', 'stop', 'entry', 'last', 'target']);
    expect(marks.map(({ place }) => Number(place.toFixed(2)))).toEqual([0, 0.4, 0.6, 0.7, 1]);
    expect(levelMarks(viewWith(), null).some(({ name }) => name === 'last')).toBe(false);
  });

  it('breaks a measured line where nothing was measured', () => {
    const points = [10, 20, null, 15].map((value, at) => ({ atMs: at, value }));
    const box = { width: 30, height: 10, low: 10, high: 20 };
    expect(polylines(points, box)).toEqual(['0.0,10.0 10.0,0.0', '30.0,5.0']);
  });
});
