import type { Candles, Costs } from '@sextant/workers/src/protocol/backtest.ts';
import { describe, expect, it } from 'vitest';
import { backtestTwin } from '../../../src/twins/backtest/backtest.ts';
import type { Rules } from '../../../src/twins/backtest/position.ts';

const HOUR = 3_600_000;
type Bar = [open: number, high: number, low: number, close: number];

function candlesOf(bars: Bar[]): Candles {
  const column = (k: number): Float64Array => Float64Array.from(bars, (bar) => bar[k]!);
  return {
    time: Float64Array.from(bars, (_, i) => i * HOUR),
    open: column(0),
    high: column(1),
    low: column(2),
    close: column(3),
    volume: new Float64Array(bars.length).fill(1),
  };
}

const free: Costs = {
  takerFeeFraction: 0,
  makerFeeFraction: 0,
  slippageFraction: 0,
  stopSlippageFraction: 0,
  takeProfitOrder: 'market',
  initialEquity: 1000,
  notional: 1000,
  leverage: 1,
  maintenanceMarginFraction: 0.005,
};
const rules = (costs: Partial<Costs> = {}, params: Partial<Rules['params']> = {}): Rules => ({
  params: {
    entryThreshold: 0.5,
    stopLossFraction: 0.02,
    takeProfitFraction: 0.04,
    trailing: { enabled: false, callbackFraction: 0.01, stepFraction: 0 },
    ...params,
  },
  costs: { ...free, ...costs },
});
const run = (bars: Bar[], score: number[], withRules = rules()) =>
  backtestTwin(candlesOf(bars), Float64Array.from(score), withRules, bars.length);

describe('the TypeScript backtest by hand', () => {
  it('fills at the next open and takes the target: 4 % of 1000', () => {
    const { trades, equity } = run(
      [
        [90, 90, 90, 90],
        [100, 101, 99, 100],
        [100, 105, 100, 105],
      ],
      [1, 0, 0],
    );
    expect(trades).toHaveLength(1);
    expect(trades[0]).toMatchObject({ entryIndex: 1, exitIndex: 2, entryPrice: 100, exitPrice: 104, reason: 'TP' });
    expect(trades[0]!.netPnl).toBe(40);
    expect([...equity]).toEqual([1000, 1000, 1040]);
  });

  it('takes the stop first when one bar holds both, and says so', () => {
    const { trades, summary } = run(
      [
        [100, 100, 100, 100],
        [100, 105, 97, 100],
      ],
      [1, 0],
    );
    expect(trades[0]).toMatchObject({ exitPrice: 98, reason: 'SL', isAmbiguous: true });
    expect(summary.netPnl).toBe(-20);
    expect(summary.optimisticNetPnl).toBe(40);
  });

  it('fills a gap at the open', () => {
    const { trades } = run(
      [
        [100, 100, 100, 100],
        [100, 100, 99, 99],
        [90, 91, 89, 90],
      ],
      [1, 0, 0],
    );
    expect(trades[0]).toMatchObject({ exitPrice: 90, reason: 'SL' });
  });

  it('charges both fees and the funding that is stamped while it holds', () => {
    const funding = { time: Float64Array.of(2 * HOUR), rate: Float64Array.of(0.001) };
    const bars: Bar[] = [
      [100, 100, 100, 100],
      [100, 100, 100, 100],
      [100, 100, 100, 100],
    ];
    const { trades } = run(bars, [-1, 0, 0], rules({ takerFeeFraction: 0.0005, initialEquity: 2000, funding }));
    expect(trades[0]).toMatchObject({ reason: 'END', fees: 1, funding: -1, netPnl: 0 });
  });

  it('loses exactly the margin in a liquidation', () => {
    const wide = { stopLossFraction: 0.5, takeProfitFraction: 0.5 };
    const { trades } = run(
      [
        [100, 100, 100, 100],
        [100, 100, 80, 80],
      ],
      [1, 0],
      rules({ leverage: 10 }, wide),
    );
    expect(trades[0]).toMatchObject({ reason: 'LIQ', exitPrice: 90, netPnl: -100 });
  });

  it('moves the trailing stop after a bar, not inside it', () => {
    const trailing = { enabled: true, callbackFraction: 0.01, stepFraction: 0 };
    const params = { takeProfitFraction: 0.5, trailing };
    const bars: Bar[] = [
      [100, 100, 100, 100],
      [100, 110, 100, 110],
      [110, 110, 108, 108],
    ];
    const { trades } = run(bars, [1, 0, 0], rules({}, params));
    expect(trades[0]).toMatchObject({ exitIndex: 2, reason: 'SL' });
    expect(trades[0]!.exitPrice).toBeCloseTo(108.9, 12);
  });
});
