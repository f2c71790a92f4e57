import { describe, expect, it } from 'vitest';
import { paletteItems, shortcutOf } from '../../../src/app/shell/CommandPalette.tsx';
import { shellTabs } from '../../../src/app/shell/tabs.ts';
import { fuzzyFilter } from '../../../src/ui/SearchList.tsx';

const press = (key: string, more: { isCommand?: boolean; isTyping?: boolean } = {}, isGo = false) =>
  shortcutOf({ key, isCommand: false, isTyping: false, ...more }, isGo);

describe('a key press', () => {
  it('with Ctrl or Cmd and K opens the palette, also while typing', () =>
    expect(press('K', { isCommand: true, isTyping: true })).toEqual({ kind: 'palette' }));

  it('means nothing while one types, and nothing with Ctrl that is not ours', () => {
    for (const key of ['?', 'g', 'd']) expect(press(key, { isTyping: true }, true).kind).toBe('none');
    expect(press('c', { isCommand: true }, true).kind).toBe('none');
  });

  it('of g waits for the tab', () => {
    expect(press('g')).toEqual({ kind: 'awaitGo' });
    expect(press('b', {}, true)).toEqual({ kind: 'tab', id: 'backtest' });
    expect(press('x').kind).toBe('none');
  });

  it('DESK-059 b buys and s sells the symbol in focus, unless g came before', () => {
    expect(press('b')).toEqual({ kind: 'ticket', side: 'LONG' });
    expect(press('S')).toEqual({ kind: 'ticket', side: 'SHORT' });
    expect(press('s', {}, true)).toEqual({ kind: 'tab', id: 'signals' });
    expect(press('b', { isTyping: true }).kind).toBe('none');
    expect(press('b', { isCommand: true }).kind).toBe('none');
    expect(press('?')).toEqual({ kind: 'shortcuts' });
  });

  it('stands for one tab each', () => {
    const keys = shellTabs.map(({ goKey }) => goKey);
    expect(keys).toHaveLength(15);
    expect(new Set(keys).size).toBe(15);
  });
});

describe('the palette', () => {
  const done: string[] = [];
  const note = (name: string) => (what?: string, page?: string) =>
    void done.push([name, what, page].filter((part) => part !== undefined).join(' '));
  const symbols = Array.from({ length: 700 }, (_, n) => `S${n}USDT`);
  const items = paletteItems(
    [{ id: 'backtest', label: 'Backtest', pages: [{ id: 'params', label: 'Strategy Parameters' }] }],
    [...symbols, 'BTCUSDT'],
    {
      openTab: note('tab'),
      openChart: note('chart'),
      openBacktest: note('backtest'),
      toggleTheme: note('theme'),
      toggleColours: note('colours'),
      toggleTimeZone: note('zone'),
      openDocumentation: note('docs'),
      showShortcuts: note('keys'),
      logOut: note('logout'),
    },
  );
  const pick = (typed: string) => fuzzyFilter(typed, items, ({ label, group }) => `${label} ${group}`)[0]?.run();

  it('reaches tabs, pages, commands and every symbol by a few letters', () => {
    for (const typed of ['backt', 'strat par', 'logout', 'api doc', 'utc', 'btc chart', 'btc back']) pick(typed);
    expect(done).toEqual([
      'tab backtest',
      'tab backtest params',
      'logout',
      'docs',
      'zone',
      'chart BTCUSDT',
      'backtest BTCUSDT',
    ]);
    expect(items.filter(({ id }) => id.startsWith('chart-'))).toHaveLength(701);
  });
});
