import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { functionSignature, ruleFunctions, ruleSeries, ruleStatements } from '../../src/rules/vocabulary.ts';

describe('docs/rules.md', () => {
  const page = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8');

  it.each([
    ...ruleFunctions.map(functionSignature),
    ...ruleSeries.map(({ name }) => name),
    ...ruleStatements.map(({ form }) => form),
  ])('has a row for %s', (word) => expect(page).toContain(`| \`${word}\``));
});
