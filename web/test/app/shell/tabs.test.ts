import { describe, expect, it } from 'vitest';
import { bottomTabs, mainIds, mainTabs, moreIds, moreTabs, shellTabs, tabFor } from '../../../src/app/shell/tabs.ts';

describe('the tabs of the shell', () => {
  it('SHELL-005, SHELL-006, SHELL-007 are these 15 ids, in the order of the bar and of More', () => {
    expect([...mainIds, ...moreIds].sort()).toEqual(
      [
        ...['signals', 'vision', 'dashboard', 'help', 'account', 'funds', 'payments', 'auto', 'news', 'profile'],
        ...['settings', 'arb', 'backtest', 'api-docs', 'api-manager'],
      ].sort(),
    );
    expect(mainIds).toHaveLength(9);
    for (const [tabs, ids] of [[mainTabs, mainIds] as const, [moreTabs, moreIds] as const]) {
      const places = tabs.map(({ id }) => (ids as readonly string[]).indexOf(id));
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect(places).not.toContain(-1);
    }
  });

  it('has the labels the specification gives', () => {
    const given: Record<string, string> = { arb: 'Arbitrage', settings: 'Signal Tuning' };
    for (const { id, label } of shellTabs) if (given[id] !== undefined) expect(label).toBe(given[id]);
  });

  it('SHELL-002 opens the dashboard for an id that is not built', () =>
    expect(tabFor('nonsense').id).toBe('dashboard'));

  it('puts at most five at the bottom of a small screen', () => expect(bottomTabs.length).toBeLessThanOrEqual(5));
});
