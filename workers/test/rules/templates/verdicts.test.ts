import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { HonestyLevel } from '../../../src/protocol/honesty.ts';
import { ruleTemplates } from '../../../src/rules/templates/index.ts';
import type { VerdictLevel } from '../../../src/rules/templates/verdict.ts';
import { measuredTemplates } from '../../../src/rules/templates/verdicts.gen.ts';

const levelOf: Record<HonestyLevel, VerdictLevel> = {
  luck: 'luck',
  unclear: 'unclear',
  'holds up': 'holds up',
  'not enough data': 'not enough data',
};

describe('measured rule templates', () => {
  it('RULE-045 are all of them, each with the text that was measured', () => {
    const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
    expect(measuredTemplates.verdicts.map(({ id, textHash }) => [id, textHash])).toEqual(
      ruleTemplates.map(({ id, text }) => [id, hashOf(text)]),
    );
  });

  it('RULE-045 have a verdict that follows from their levels', () => {
    for (const { id, levels, seriesCount, verdict, gainCount } of measuredTemplates.verdicts) {
      expect(Object.keys(levels).sort(), id).toEqual(Object.keys(levelOf).sort());
      expect(
        Object.values(levels).reduce((sum, count) => sum + count, 0),
        id,
      ).toBe(seriesCount);
      expect(levels[verdict], id).toBe(Math.max(...Object.values(levels)));
      expect(gainCount, id).toBeLessThanOrEqual(seriesCount);
    }
  });
});
