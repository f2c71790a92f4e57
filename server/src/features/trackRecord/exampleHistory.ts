import { HOUR_MS, MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { candlesOf } from '@sextant/workers/src/candles/candleColumns.ts';
import { SANDBOX_MS } from '@sextant/workers/src/core/apiAccess.ts';
import { resolveSignal, type SignalLevels } from '@sextant/workers/src/signals/outcome.ts';
import type { z } from 'zod';
import type { HistoryResponse } from './contract.ts';

const hash = (digit: string): string => digit.repeat(64);
const before = (hours: number): string => new Date(SANDBOX_MS - hours * HOUR_MS).toISOString();

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

/** Outcome by the rule of the public record when the first minute with any move touches a level. */
function touched(
  levels: Omit<SignalLevels, 'issuedAtMs' | 'horizonMinutes'>,
  price: number,
  level: number,
  hoursAgo: number,
) {
  const time = SANDBOX_MS - hoursAgo * HOUR_MS;
  const bar = { time, open: price, high: Math.max(price, level), low: Math.min(price, level), close: level, volume: 1 };
  const candles = candlesOf((name) => Float64Array.of(bar[name]));
  const found = resolveSignal({ ...levels, issuedAtMs: time, horizonMinutes: signal.horizon_min }, candles, MINUTE_MS);
  if (found === null) throw new Error('the example touches its level');
  const { outcome, exitPrice, netFraction, isAmbiguous } = found;
  const exit = { exit_price: exitPrice, exit_at: before(hoursAgo), net_fraction: netFraction };
  return { outcome, ...exit, is_ambiguous: isAmbiguous, basis: '1m' as const };
}

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
      outcome: touched({ direction: 'SHORT', stopLoss: 3030, takeProfit: 2940 }, 3000, 2940, 22),
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
      outcome: touched({ direction: 'LONG', stopLoss: 89_100, takeProfit: 91_800 }, 90_000, 89_100, 49),
    },
  ],
};
