import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { StrategyWire } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { expect, it } from 'vitest';
import { rulesOf, usedBy } from '../../../../src/features/backtest/live/MyRules.tsx';
import { runOf } from '../../../support/runs.ts';

it('the rules of a run are its strategy, or the parameters of Classic as one that the server saves', () => {
  const run = runOf({});
  const strategy = liveRules(['4h']);
  expect(rulesOf({ ...run, strategy })).toBe(strategy);
  const classic = rulesOf(run);
  expect(classic).toMatchObject({
    intervals: [{ interval: '1h', weight: 1 }],
    weights: { rsi: 1.5, fib: 0.6 },
    entryThreshold: 0.08,
    stop: { mode: 'percent', fraction: 0.02 },
    target: { mode: 'percent', fraction: 0.04 },
    trailing: { mode: 'off' },
    sizing: { mode: 'fixed', isCompounding: false },
  });
  expect(StrategyWire.safeParse(classic).success).toBe(true);
});

it('rules say where they can be used: scans read candles of three intervals', () => {
  expect(usedBy(liveRules(['1h', '4h']))).toMatch(/^Choose them under Scans and Auto trade/);
  expect(usedBy(liveRules(['1d']))).toBe('For backtests only: scans read 15m, 1h, 4h, these rules need 1d.');
});

it('a file of candles that no strategy can name has no rules', () => {
  const run = runOf({ source: 'csv' });
  expect(rulesOf({ ...run, loaded: { ...run.loaded, intervalMs: 7_200_000 } })).toBeNull();
});
