import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ruleTemplates } from '../../workers/src/rules/templates/index.ts';
import { measuredTemplates } from '../../workers/src/rules/templates/verdicts.gen.ts';
import { root } from '../steps.ts';
import { templatePage } from '../templatePage.ts';

describe('measured rule templates', () => {
  it('RULE-045 are all of them, each with the text that was measured', () => {
    const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
    expect(measuredTemplates.verdicts.map(({ id, textHash }) => [id, textHash])).toEqual(
      ruleTemplates.map(({ id, text }) => [id, hashOf(text)]),
    );
    for (const { id, levels, seriesCount } of measuredTemplates.verdicts)
      expect(
        Object.values(levels).reduce((sum, count) => sum + count, 0),
        id,
      ).toBe(seriesCount);
  });

  it('RULE-045 stand in docs/rules-templates.md as they were measured', async () => {
    const page = readFileSync(join(root, 'docs/rules-templates.md'), 'utf8');
    expect(page).toBe(await templatePage(ruleTemplates, measuredTemplates));
  });
});
