import type { TabId } from '../../../api/types.ts';
import type { SearchItem } from '../../../ui/SearchList.tsx';

export interface PaletteItem extends SearchItem {
  run: () => void;
}

interface TabEntry {
  id: TabId;
  label: string;
  pages: readonly { id: string; label: string }[];
}

export interface PaletteActions {
  openTab: (tab: TabId, page?: string) => void;
  openChart: (symbol: string) => void;
  openBacktest: (symbol: string) => void;
  toggleTheme: () => void;
  toggleColours: () => void;
  toggleTimeZone: () => void;
  openDocumentation: () => void;
  showShortcuts: () => void;
  logOut: () => void;
}

/** Everything the palette reaches: tabs, their pages, commands, then every symbol twice. */
export function paletteItems(
  tabs: readonly TabEntry[],
  symbols: readonly string[],
  actions: PaletteActions,
): PaletteItem[] {
  const command = (id: string, label: string, run: () => void): PaletteItem => ({ id, label, group: 'Command', run });
  return [
    ...tabs.map(({ id, label }) => ({ id: `tab-${id}`, label, group: 'Tab', run: () => actions.openTab(id) })),
    ...tabs.flatMap((tab) =>
      tab.pages.map(({ id, label }) => ({
        id: `page-${tab.id}-${id}`,
        label,
        group: tab.label,
        run: () => actions.openTab(tab.id, id),
      })),
    ),
    command('theme', 'Switch between the light and the dark theme', actions.toggleTheme),
    command('colours', 'Switch the colours of gain and loss', actions.toggleColours),
    command('timeZone', 'Switch between local time and UTC', actions.toggleTimeZone),
    command('docs', 'Open the API documentation in a new tab', actions.openDocumentation),
    command('shortcuts', 'Show the keyboard shortcuts', actions.showShortcuts),
    command('logout', 'Logout', actions.logOut),
    ...symbols.flatMap((symbol) => [
      { id: `chart-${symbol}`, label: symbol, group: 'Chart', run: () => actions.openChart(symbol) },
      { id: `backtest-${symbol}`, label: symbol, group: 'Backtest', run: () => actions.openBacktest(symbol) },
    ]),
  ];
}
