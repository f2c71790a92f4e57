import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ruleTemplates } from '../../workers/src/rules/templates/index.ts';
import { measuredTemplates } from '../../workers/src/rules/templates/verdicts.gen.ts';
import { root } from '../steps.ts';
import { templatePage } from '../templatePage.ts';

it('docs/rules-templates.md has the templates as they are and their figures as they were measured', async () => {
  const page = readFileSync(join(root, 'docs/rules-templates.md'), 'utf8');
  expect(page).toBe(await templatePage(ruleTemplates, measuredTemplates));
});
