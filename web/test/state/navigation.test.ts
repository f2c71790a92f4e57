import { beforeEach, expect, it, vi } from 'vitest';
import { navigation, openPage, openTab, restorePlace } from '../../src/state/navigation.ts';
import { runUserResets } from '../../src/state/userReset.ts';

beforeEach(() => {
  vi.stubGlobal('window', { scrollTo: () => undefined });
  runUserResets();
});

it('the place of the last visit is restored', () => {
  restorePlace('backtest', 'params');
  expect([navigation.activeTab, navigation.pages.backtest]).toEqual(['backtest', 'params']);
});

it('a user that navigated before is not moved', () => {
  openTab('backtest');
  restorePlace('dashboard', null);
  expect(navigation.activeTab).toBe('backtest');
});

it('each tab keeps its own inner page', () => {
  openPage('backtest', 'results');
  openTab('dashboard');
  openTab('backtest');
  expect(navigation.pages.backtest).toBe('results');
});

it('another user starts at the dashboard, with nothing of the first', () => {
  openTab('backtest', 'results');
  runUserResets();
  expect(navigation).toEqual({
    activeTab: 'dashboard',
    pages: {},
    opened: { symbol: null, signal: null, position: null, closed: null, run: null, ticket: null },
    moveCount: 0,
    isRunPromised: false,
  });
});
