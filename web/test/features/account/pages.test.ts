import { expect, it } from 'vitest';
import { accountPages, pageOf } from '../../../src/features/account/pages.ts';

it('ACC-001 the pages of the account have the names and the order of the specification', () => {
  const names = ['Security', 'Trading', 'Credits & Billing', 'API Access', 'Privacy & Data'];
  const places = accountPages.map(({ label }) => names.indexOf(label));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
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
