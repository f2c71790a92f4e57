import { expect, it } from 'vitest';
import { pageOf } from '../../../src/features/account/AccountTab.tsx';

it.each([
  ['security', 'security'],
  ['preferences', 'trading'],
  ['credits', 'credits'],
  ['billing', 'credits'],
  ['privacy', 'privacy'],
  ['nonsense', 'security'],
  [undefined, 'security'],
])('ACC-027 the account opens for %s at %s', (name, page) => expect(pageOf(name)).toBe(page));
