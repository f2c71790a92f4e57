import { SANDBOX_MS } from '@sextant/workers/src/core/apiAccess.ts';
import type { z } from 'zod';
import type { HistoryResponse } from './contract.ts';

const hash = (digit: string): string => digit.repeat(64);
const before = (hours: number): string => new Date(SANDBOX_MS - hours * 3_600_000).toISOString();

const signal = {
  exchange: 'binance',
  market: 'simulated',
  interval: '1h',
  confidence_kind: 'score',
  horizon_min: 1200,
  risk_label: 'STANDARD',
  mine: true,
  hashes: { engine: hash('a'), data: hash('b'), params: hash('c') },
} as const;

/** Track record of the sandbox account: one signal is open, one reached its target, one was stopped out. */
export const exampleHistory: z.input<typeof HistoryResponse> = {
  signals: [
    {
      ...signal,
      id: '00000000-0000-4000-8000-000000000203',
      created_at: before(1),
      candle_close_at: before(1),
      symbol: 'BTCUSDT',
      direction: 'LONG',
      confidence: 0.34,
      raw_confidence: 0.34,
      price: 92_000,
      stop_loss: 91_080,
      take_profit: 93_840,
      outcome: null,
    },
    {
      ...signal,
      id: '00000000-0000-4000-8000-000000000202',
      created_at: before(30),
      candle_close_at: before(30),
      symbol: 'ETHUSDT',
      direction: 'SHORT',
      confidence: 0.41,
      raw_confidence: 0.41,
      price: 3000,
      stop_loss: 3030,
      take_profit: 2940,
      // 60 of 3,000 are 2 %; fees and slippage of both sides take 0.0012.
      outcome: {
        outcome: 'TP',
        exit_price: 2940,
        exit_at: before(22),
        net_fraction: 0.0188,
        is_ambiguous: false,
        basis: '1m',
      },
    },
    {
      ...signal,
      id: '00000000-0000-4000-8000-000000000201',
      created_at: before(54),
      candle_close_at: before(54),
      symbol: 'BTCUSDT',
      direction: 'LONG',
      confidence: 0.29,
      raw_confidence: 0.29,
      price: 90_000,
      stop_loss: 89_100,
      take_profit: 91_800,
      // 900 of 90,000 are 1 %, and the same costs.
      outcome: {
        outcome: 'SL',
        exit_price: 89_100,
        exit_at: before(49),
        net_fraction: -0.0112,
        is_ambiguous: false,
        basis: '1m',
      },
    },
  ],
};
