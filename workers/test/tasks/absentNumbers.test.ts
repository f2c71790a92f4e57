import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { expect, it } from 'vitest';
import type { BookPosition, BookTrailing } from '../../src/positions/bookTypes.ts';
import { validatePosition } from '../../src/tasks/positions/validatePosition.ts';
import { validateStrategyValue } from '../../src/tasks/strategy/validate.ts';
import { validateParams } from '../../src/tasks/validateParams.ts';
import type { TaskResult } from '../../src/protocol/taskResult.ts';
import type { StrategyParams } from '../../src/protocol/backtest.ts';
import { classicDefaults } from '../../src/protocol/wire/defaults.ts';

const strategy: Strategy = liveRules(['1h']);

/** A copy without the value at a path. */
function without<T extends object>(value: T, path: string): T {
  const copy = structuredClone(value);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const holder = names.reduce<Record<string, unknown>>(
    (each, name) => each[name] as Record<string, unknown>,
    copy as Record<string, unknown>,
  );
  Reflect.deleteProperty(holder, last);
  return copy;
}

const fieldOf = (result: TaskResult<null>): string => (result.ok ? 'none' : (result.error.field ?? ''));

// Each number that a strategy of the time before the table of numbers was checked for.
it.each([
  ['entryThreshold', {}],
  ['stop.fraction', { stop: { mode: 'percent', fraction: 0.02 } }],
  ['stop.multiple', {}],
  ['target.fraction', { target: { mode: 'percent', fraction: 0.02 } }],
  ['target.multiple', {}],
  ['atrPeriod', {}],
  ['trailing.callbackFraction', {}],
  ['trailing.stepFraction', {}],
  ['trailing.atrMultiple', {}],
  ['trailing.activationFraction', {}],
  ['breakEvenR', {}],
  ['holdingBarsMax', {}],
  ['sizing.riskFraction', {}],
] as const)('a strategy without %s is rejected by that field', (path, change) => {
  const whole: Strategy = { ...strategy, ...change };
  expect(validateStrategyValue(whole)).toMatchObject({ ok: true });
  const field = `strategy.${path}`;
  const rejected = validateStrategyValue(without(whole, path));
  expect(rejected).toMatchObject({
    ok: false,
    error: { field, message: expect.stringContaining(`${field} is `) as string },
  });
  // Present and undefined is absent too.
  const [part = '', name] = path.split('.');
  const holder = (whole as unknown as Record<string, object>)[part];
  const unset = { ...whole, [part]: name === undefined ? undefined : { ...holder, [name]: undefined } };
  expect(fieldOf(validateStrategyValue(unset))).toBe(field);
});

it('a level with the number of another mode is rejected by the number of its mode, which alone counts', () => {
  const mixed = { ...strategy, stop: { mode: 'atr', fraction: 0.02 } as unknown as Strategy['stop'] };
  expect(fieldOf(validateStrategyValue(mixed))).toBe('strategy.stop.multiple');
  const both = { ...strategy, stop: { mode: 'atr', multiple: 2, fraction: 7 } as unknown as Strategy['stop'] };
  expect(fieldOf(validateStrategyValue(both))).toBe('none');
});

const position = (trailing: object): BookPosition => ({
  id: 'a',
  side: 'LONG',
  entryTimeMs: 0,
  entryPrice: 100,
  quantity: 1,
  leverage: 10,
  stopPrice: 98,
  targetPrice: 104,
  liquidationPrice: null,
  bestPrice: 100,
  isArmed: false,
  tickSize: 0,
  takerFeeFraction: 0,
  trailing: trailing as BookTrailing,
  atr: null,
});

it.each([
  [{ mode: 'off' }, 'none'],
  [{ mode: 'percent', callbackFraction: 0.01, stepFraction: 0 }, 'none'],
  [{ mode: 'percent', stepFraction: 0.01 }, 'p.trailing.callbackFraction'],
  [{ mode: 'percent', callbackFraction: 0.01 }, 'p.trailing.stepFraction'],
  [
    { mode: 'percent', callbackFraction: 0.01, stepFraction: 0, activationFraction: 11 },
    'p.trailing.activationFraction',
  ],
  [{ mode: 'atr', atrMultiplier: 2 }, 'none'],
  [{ mode: 'atr' }, 'p.trailing.atrMultiplier'],
  [{ mode: 'atr', callbackFraction: 0.01, stepFraction: 0.01 }, 'p.trailing.atrMultiplier'],
])('a position that trails by %j is checked by each number it needs', (trailing, field) => {
  expect(fieldOf(validatePosition(position(trailing), 'p'))).toBe(field);
});

it.each([
  ['entryThreshold', 'params.entryThreshold'],
  ['stopLossFraction', 'params.stopLossFraction'],
  ['takeProfitFraction', 'params.takeProfitFraction'],
  ['trailing.callbackFraction', 'params.trailing.callbackFraction'],
  ['trailing.stepFraction', 'params.trailing.stepFraction'],
  ['trailing.atrMultiplier', 'none'],
  ['trailing.atrPeriod', 'none'],
  ['trailing.activationFraction', 'none'],
  ['holdingBarsMax', 'none'],
])('Classic without %s: %s', (path, field) => {
  const params: StrategyParams = {
    ...classicDefaults,
    holdingBarsMax: 0,
    trailing: { ...classicDefaults.trailing, atrMultiplier: 2, atrPeriod: 14, activationFraction: 0 },
  };
  expect(fieldOf(validateParams(params))).toBe('none');
  expect(fieldOf(validateParams(without(params, path)))).toBe(field);
});
