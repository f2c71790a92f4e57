import { beforeEach, expect, it, vi } from 'vitest';
import type { TabId } from '../../src/api/types.ts';
import { placeSearch, readPlace, showPlace } from '../../src/state/address.ts';
import { navigation, openTab, setOpened } from '../../src/state/navigation.ts';
import { runUserResets } from '../../src/state/userReset.ts';

const isTab = (text: string): text is TabId => ['dashboard', 'signals', 'backtest', 'help', 'auto'].includes(text);
const read = (search: string) => readPlace(search, isTab);

beforeEach(() => {
  vi.stubGlobal('window', { scrollTo: () => undefined });
  runUserResets();
});

it('DESK-050 a query without a known tab names no place', () => {
  expect(read('')).toBeNull();
  expect(read('?page=setup')).toBeNull();
  expect(read('?tab=casino&page=setup')).toBeNull();
});

it('DESK-050 a place is tab, page and what this page can have open', () => {
  expect(read('?tab=backtest')).toEqual({ tab: 'backtest', page: null, opened: {} });
  expect(read('?tab=dashboard&page=positions&position=p-1&signal=s-1')).toEqual({
    tab: 'dashboard',
    page: 'positions',
    opened: { position: 'p-1' },
  });
  // The first page of the dashboard has the chart.
  expect(read('?tab=dashboard&symbol=BTCUSDT')).toEqual({
    tab: 'dashboard',
    page: null,
    opened: { symbol: 'BTCUSDT' },
  });
});

it('DESK-050 texts that no id can be are left out', () => {
  const search = new URLSearchParams({ tab: 'dashboard', page: '<img src=x>', symbol: 'x'.repeat(65) });
  expect(read(`?${search}`)).toEqual({ tab: 'dashboard', page: null, opened: {} });
});

it('DESK-050 the query string of a place reads back as the place', () => {
  openTab('signals', 'results');
  setOpened('signal', 's-7');
  setOpened('symbol', 'ETHUSDT');
  const search = placeSearch('');
  expect(search).toBe('?tab=signals&page=results&signal=s-7');
  runUserResets();
  showPlace(read(search)!);
  expect([navigation.activeTab, navigation.pages.signals, navigation.opened.signal]).toEqual([
    'signals',
    'results',
    's-7',
  ]);
});

it('DESK-051 parameters of others stay; those of a call to action or a payment end', () => {
  openTab('backtest', 'setup');
  expect(placeSearch('?ref=x&to=backtest&tab=help&page=chat&transactionId=1')).toBe('?ref=x&tab=backtest&page=setup');
});

it('DESK-051 a place without a signal closes the one that is open, and leaves what other pages have open', () => {
  openTab('signals', 'results');
  setOpened('signal', 's-7');
  setOpened('position', 'p-1');
  showPlace(read('?tab=signals&page=results')!);
  expect([navigation.opened.signal, navigation.opened.position]).toEqual([null, 'p-1']);
});

it('DESK-051 a place without a page shows the first page', () => {
  openTab('backtest', 'results');
  showPlace(read('?tab=backtest')!);
  expect(navigation.pages.backtest).toBeUndefined();
});
