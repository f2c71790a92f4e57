import { expect, it } from 'vitest';
import { accountPages, pageOf } from '../../../src/features/account/pages.ts';

it('ACC-001 the pages of the account have the names and the order of the specification', () => {
  const names = ['Security', 'Trading', 'Credits & Billing', 'API Access', 'Privacy & Data'];
  const labels: string[] = accountPages.map(({ label }) => label);
  // A page is there from the day it works; ours come after theirs.
  const specified = labels.filter((label) => names.includes(label));
  expect(specified).toEqual(names.filter((name) => labels.includes(name)));
  expect(labels.slice(0, specified.length)).toEqual(specified);
});

it.each([
  ['security', 'security'],
  ['preferences', 'trading'],
  ['credits', 'credits'],
  ['billing', 'credits'],
  ['privacy', 'privacy'],
  ['nonsense', 'security'],
  [undefined, 'security'],
])('ACC-027 the account opens for %s at %s', (name, page) => expect(pageOf(name)).toBe(page));
