import { describe, expect, it } from 'vitest';
import { bottomTabs, tabFor } from '../../../src/app/shell/tabs.ts';

describe('the tabs of the shell', () => {
  it('SHELL-002 opens the dashboard for an id that is not built', () =>
    expect(tabFor('nonsense').id).toBe('dashboard'));

  it('puts at most five at the bottom of a small screen', () => expect(bottomTabs.length).toBeLessThanOrEqual(5));
});
