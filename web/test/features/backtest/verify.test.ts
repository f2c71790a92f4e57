import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { expect, it } from 'vitest';
import { runBodyOf } from '../../../src/features/backtest/verify.ts';
import { runOf } from '../../support/runs.ts';

const strategy = liveRules(['1h', '4h']);
const plain = runOf({});
const run = { ...plain, strategy, context: [plain.loaded.candles] };
const pathsOf = (value: object): string[] => Object.keys(value).sort();

it('a run of rules names its candles and holds its strategy; those of longer intervals are loaded by the server', () => {
  const body = runBodyOf(run);
  expect(body).toMatchObject({ symbol: 'BTCUSDT', limit: 1200, endTime: Date.UTC(2026, 0, 1), strategy, params: {} });
  expect(body).not.toHaveProperty('candles');
  expect(body).not.toHaveProperty('context');
  expect(runBodyOf(plain)).toMatchObject({ params: { entryThreshold: 0.08 } });
  expect(runBodyOf(plain)).not.toHaveProperty('strategy');
});

it('rules on more candles than the server loads send them, with those of the longer intervals', () => {
  const long = { ...plain.loaded.candles, time: Float64Array.from({ length: 10_001 }, (_, i) => i * 3_600_000) };
  const body = runBodyOf({ ...run, loaded: { ...run.loaded, candles: long } });
  expect(body.candles?.time).toHaveLength(10_001);
  const [longer] = body.context ?? [];
  expect(pathsOf(longer ?? {})).toEqual(['close', 'high', 'low', 'open', 'time', 'volume']);
  expect(longer?.time).toEqual([...plain.loaded.candles.time]);
  expect(body).not.toHaveProperty('symbol');
});
