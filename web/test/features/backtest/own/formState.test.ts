import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import { strategyVersion } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { strategyOfRules } from '@sextant/workers/src/rules/strategyOfRules.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { draft, runState } from '../../../../src/features/backtest/backtestState.ts';
import { chooseRules, chosenOf, chosenRules, openedOf } from '../../../../src/features/backtest/own/chosenRules.ts';
import { readOwn, startOwn, storeOwn, usesNews } from '../../../../src/features/backtest/own/ownRules.ts';
import { isRunnable } from '../../../../src/features/backtest/own/textState.ts';
import { resultsCsv, shareLinkOf, whyNotShared } from '../../../../src/features/backtest/results/ExportButtons.tsx';
import { strategyText } from '../../../../src/features/backtest/setup/SetupPanel.tsx';
import { readShareLink } from '../../../../src/features/backtest/share/shareLink.ts';
import { parametersOf } from '../../../../src/features/backtest/search/searchDefinitions.ts';
import { csvHeader } from '../../../../src/features/backtest/search/exportTrials.ts';
import { rulesText } from '../../../../src/format/strategyText.ts';
import { runOf } from '../../../support/runs.ts';

const text = 'fast = 12 [5..50 step 1]; slow = 26\nlong when ema(fast) > ema(slow) and 4h(close > 1)\nstop 2 %';

function strategyOf(rules: string) {
  const own = strategyOfRules(rules, '1h');
  if (!own.ok) throw new Error(JSON.stringify(own.error));
  return own.value;
}

beforeEach(() => {
  Object.assign(draft, { source: 'exchange', strategy: 'classic', interval: '1h', rules: startOwn() });
  runState.loaded = null;
});

describe('own rules in the form', () => {
  it('RULE-035 come from a saved strategy with their name, and other strategies leave them alone', () => {
    const strategy = strategyOf(text);
    chooseRules(chosenOf('Mine', strategy));
    expect([draft.strategy, draft.rules]).toEqual([
      'own',
      { text, opened: { name: 'Mine', version: strategyVersion(strategy) } },
    ]);
    expect(openedOf(chosenRules())).toEqual({ name: 'Mine', version: strategyVersion(strategy) });
    chooseRules(chosenOf('Votes', liveRules(['1h'])));
    expect([draft.strategy, draft.rules.text, openedOf(chosenRules())?.name]).toEqual(['live', text, 'Votes']);
    chooseRules(null);
    expect([draft.strategy, chosenRules(), draft.rules.text]).toEqual(['classic', null, text]);
  });

  it('RULE-030 are not run while their text has an error on the candles of the setup', () => {
    Object.assign(draft, { strategy: 'own', rules: { text, opened: null } });
    expect(isRunnable()).toBe(true);
    draft.interval = '4h';
    expect(isRunnable()).toBe(false);
    draft.interval = '1h';
    draft.rules.text = 'long when clos > 1';
    expect(isRunnable()).toBe(false);
    draft.strategy = 'live';
    expect(isRunnable()).toBe(true);
  });

  it('RULE-030 are those of a file on the candles of the file', () => {
    const { loaded } = runOf({ source: 'csv' });
    Object.assign(draft, { source: 'csv', strategy: 'own', interval: '4h', rules: { text, opened: null } });
    expect(isRunnable()).toBe(false);
    runState.loaded = loaded;
    expect(isRunnable()).toBe(true);
  });

  it('RULE-035 are stored in the browser, and damaged ones are the first ones again', () => {
    storeOwn({ text, opened: { name: 'Mine', version: 'v' } });
    expect([startOwn(), { text, opened: { name: 'Mine', version: 'v' } }]).toContainEqual(readOwn());
    expect(startOwn().text).toContain('long when');
  });
});

describe('a run of own rules', () => {
  const strategy = strategyOf(text);
  const run = { ...runOf({}), strategy, opened: { name: 'Mine', version: strategyVersion(strategy) } };

  it('RULE-035 is shared with its text', () => {
    const shared = readShareLink(new URL(shareLinkOf(run, 'https://sextant.example')).hash);
    if (shared === null || shared === 'broken') throw new Error('the link was not read');
    expect(shared.body.strategy).toEqual(strategy);
    expect(whyNotShared(run)).toBeNull();
  });

  it('RULE-035 has no link when its text is too long for one', () => {
    const long = strategyOf(`${text}\n# ${'ü'.repeat(3000)}`);
    expect(whyNotShared({ ...run, strategy: long })).toBe('These rules are too long for a link. Shorten their text.');
  });

  it('RULE-035 is described as rules and not as votes', () => {
    const rows = Object.fromEntries(rulesText(strategy));
    expect(rows).toMatchObject({
      Intervals: '1h, with 4h',
      Entry: 'your rules, long only',
      'Stop and target': expect.stringContaining('2.00') as string,
    });
    expect(rows).not.toHaveProperty('Vote parameters');
    expect(strategyText('own', null)).toContain('Strategy Parameters');
  });

  it('RULE-035 is exported with its text as one quoted cell', () => {
    expect(resultsCsv(run)).toContain(`strategy.rules,"${text}",`);
  });

  it('RULE-036 has the ranges of its text as parameters of a search', () => {
    const parameters = parametersOf({ rules: { strategy, context: [] } });
    expect(
      parameters.map(({ id, parameter, format }) => [id, parameter.slot, parameter.setLength, format(12)]),
    ).toEqual([['fast', 0, 1, '12']]);
    expect(csvHeader({ rules: { strategy, context: [] } }).at(-1)).toBe('fast');
  });
});

it('RULE-030 rules that read news are known: backtests of the lab have none', () => {
  expect([usesNews('long when news > 0'), usesNews('long when close > 0 # news')]).toEqual([true, false]);
});
