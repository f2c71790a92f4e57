import type { SavedRun } from '../../src/api/types.ts';
import { startCosts } from '../../src/features/backtest/costs.ts';
import { defaultParams, paramsToJson } from '../../src/features/backtest/params.ts';

/** A saved run of 1,200 hourly candles that end with 2025, with the hashes `a`, `b`, `c` and `d`. */
export function savedOf(change: Partial<SavedRun> = {}): SavedRun {
  const hash = (letter: string) => letter.repeat(64);
  return {
    id: 'one',
    name: 'one',
    created_at: '2026-01-01T00:00:00.000Z',
    symbol: 'BTCUSDT',
    interval: '1h',
    params: paramsToJson(defaultParams()),
    strategy: null,
    setup: {
      exchange: 'binance',
      label: 'BTCUSDT',
      end_time: Date.UTC(2026, 0, 1),
      loaded: 1200,
      scored: 500,
      costs: startCosts(),
    },
    best: { pnl: 12.5, trades: 40, winRate: 0.55, maxDrawdown: 0.08, profitFactor: 1.2 },
    equity: [1000, 1012.5],
    hashes: { engine: hash('a'), data: hash('b'), params: hash('c'), result: hash('d') },
    ...change,
  };
}
