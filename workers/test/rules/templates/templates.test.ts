import { HOUR_MS, intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BacktestResult } from '../../../src/protocol/backtest.ts';
import type { TaskResult } from '../../../src/protocol/taskResult.ts';
import { defaultCosts } from '../../../src/protocol/wire/defaults.ts';
import { compileRules } from '../../../src/rules/compileRules.ts';
import { formatRules } from '../../../src/rules/formatRules.ts';
import { strategyOfRules } from '../../../src/rules/strategyOfRules.ts';
import { ruleTemplates } from '../../../src/rules/templates/index.ts';
import type { RuleTemplate } from '../../../src/rules/templates/template.ts';
import { runTask, startEngine, type TaskEngine } from '../../../src/tasks/index.ts';
import { engineTimeoutMs, testEngine } from '../../support/engine.ts';
import { type Bar, candlesOfBars, joined, mirrored } from './series.ts';
import type { Worked, WorkedTrade } from './worked.ts';
import { workedBreakouts } from './workedBreakouts.ts';
import { workedClocks } from './workedClocks.ts';
import { workedReversals } from './workedReversals.ts';
import { workedTrends } from './workedTrends.ts';

const worked: Worked[] = [...workedTrends, ...workedBreakouts, ...workedReversals, ...workedClocks];

let at: TaskEngine;
beforeAll(async () => {
  at = startEngine(await testEngine());
}, engineTimeoutMs);

const templateOf = (id: string): RuleTemplate => ruleTemplates.find((one) => one.id === id)!;

/** Without fees and slippage, not borrowed: the trades are those of the prices. */
function tradesOf({ text, interval }: RuleTemplate, bars: readonly Bar[], { volumes, funding }: Worked): WorkedTrade[] {
  const strategy = strategyOfRules(text, interval);
  if (!strategy.ok) throw new Error(JSON.stringify(strategy.error));
  const stepMs = intervalMs[interval];
  const candles = candlesOfBars(bars, stepMs, volumes);
  const context = strategy.value.intervals.slice(1).map((one) => joined(candles, stepMs, intervalMs[one.interval]));
  const costs = {
    ...defaultCosts,
    takerFeeFraction: 0,
    slippageFraction: 0,
    stopSlippageFraction: 0,
    leverage: 1,
    ...(funding && {
      funding: {
        time: Float64Array.from(funding, ([hour]) => hour * HOUR_MS),
        rate: Float64Array.from(funding, ([, rate]) => rate),
      },
    }),
  };
  const input = { candles, context, strategy: strategy.value, costs, scoredCount: bars.length };
  const result = runTask(at, { name: 'backtestStrategy', input }) as TaskResult<BacktestResult>;
  if (!result.ok) throw new Error(result.error.message);
  return result.value.trades.map(({ side, entryIndex, exitIndex, closeReason, entryPrice }) => {
    expect(entryPrice).toBe(bars[entryIndex]![0]);
    return [side, entryIndex, exitIndex, closeReason];
  });
}

describe('rule templates', () => {
  it('RULE-040 are at least 30, each of its own, with author and year', () => {
    expect(ruleTemplates.length).toBeGreaterThanOrEqual(30);
    for (const part of ['id', 'title', 'text'] as const)
      expect(new Set(ruleTemplates.map((one) => one[part])).size).toBe(ruleTemplates.length);
    for (const { id, source, about } of ruleTemplates) {
      expect(source, id).toMatch(/^\S.+, .+\((\w+ )?(19|20)\d\d\)$|^\S.+, .+\(documentation\)(, after .+)?$/);
      expect(id).toMatch(/^[a-z][a-z0-9-]+$/);
      expect(about).toMatch(/\.$/);
    }
  });

  it.each(ruleTemplates.map((one) => [one.id, one] as const))(
    'RULE-040 %s compiles on its interval without a warning, in canonical spelling',
    (_, { text, interval }) => {
      const compiled = compileRules(text, { interval });
      if (!compiled.ok) return expect.fail(JSON.stringify(compiled.error));
      expect(compiled.value.warnings).toEqual([]);
      expect(formatRules(text)).toBe(text);
    },
  );

  it('RULE-041 each has a series that is worked by hand', () => {
    expect([...new Set(worked.map(({ id }) => id))].sort()).toEqual(ruleTemplates.map(({ id }) => id).sort());
  });

  it.each(worked.map((one) => [one.id, one] as const))('RULE-041 %s trades as worked by hand', (id, one) => {
    expect(tradesOf(templateOf(id), one.bars, one), one.why).toEqual(one.trades);
  });

  it.each(worked.filter(({ mirrors }) => mirrors === true).map((one) => [one.id, one] as const))(
    'RULE-041 %s takes the other side of the mirrored series',
    (id, one) => {
      const sides = { LONG: 'SHORT', SHORT: 'LONG' } as const;
      const want = one.trades.map(([side, ...rest]) => [sides[side], ...rest]);
      const template = templateOf(id);
      const isTwoSided = template.text.includes('short when');
      expect(isTwoSided).toBe(true);
      expect(tradesOf(template, mirrored(one.bars), one), one.why).toEqual(want);
    },
  );
});
