import { measuredTemplates } from '@sextant/workers/src/rules/templates/verdicts.gen.ts';
import { ruleTemplates } from '@sextant/workers/src/rules/templates/index.ts';
import { expect, it } from 'vitest';
import { templateVerdictText } from '../../../../src/features/backtest/own/templateVerdict.ts';

it('RULE-045 every measured template says its net result and verdict beside it, losers included', () => {
  for (const { id } of ruleTemplates) {
    const measured = measuredTemplates.verdicts.find((each) => each.id === id);
    const text = templateVerdictText(id);
    if (measured === undefined || measured.netPct === null) expect(text).toBe('');
    else expect(text).toContain(`verdict ${measured.verdict}.`);
  }
  expect(templateVerdictText('none')).toBe('');
});
