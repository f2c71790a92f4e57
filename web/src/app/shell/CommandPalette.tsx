import { Dialog } from '@base-ui/react/dialog';
import { useCallback, useLayoutEffect, useMemo } from 'react';
import { proxy, useSnapshot } from 'valtio';
import { marketLayout } from '../../charts/marketLayout.ts';
import { tradedSymbols, useSymbols } from '../../data/symbols.ts';
import type { TabId } from '../../api/types.ts';
import { alertLine, conditionOf, parseAlert } from '../../features/alerts/parseAlert.ts';
import { openAlertForm } from '../../state/alertForm.ts';
import { openLabOn } from '../../state/labRequest.ts';
import { chooseSymbol } from '../../state/market.ts';
import { orderLine, parseOrder } from '../../features/orders/parseOrder.ts';
import { navigation, openTab } from '../../state/navigation.ts';
import { pageOf } from '../../state/tabPages.ts';
import { openTicket } from '../../state/ticket.ts';
import { togglePalette, toggleTheme } from '../../state/theme.ts';
import { toggleTimeZone } from '../../state/timeZone.ts';
import { onUserReset } from '../../state/userReset.ts';
import { type SearchItem, SearchList } from '../../ui/SearchList.tsx';
import { documentationPath, shellTabs } from './tabs.ts';

interface KeyPress {
  key: string;
  isCommand: boolean;
  /** Whether a text field has the focus. */
  isTyping: boolean;
}

type ShortcutStep =
  | { kind: 'none' }
  | { kind: 'awaitGo' }
  | { kind: 'palette' }
  | { kind: 'shortcuts' }
  | { kind: 'tab'; id: TabId }
  | { kind: 'ticket'; side: 'LONG' | 'SHORT' };

/** Open the order ticket of the symbol in focus. */
const sideKeys: Partial<Record<string, 'LONG' | 'SHORT'>> = { b: 'LONG', s: 'SHORT' };

/** The command of a key press. @param isGo whether the previous key, a moment ago, was `g` */
export function shortcutOf({ key, isCommand, isTyping }: KeyPress, isGo: boolean): ShortcutStep {
  if (isCommand) return { kind: key.toLowerCase() === 'k' ? 'palette' : 'none' };
  if (isTyping) return { kind: 'none' };
  if (key === '?') return { kind: 'shortcuts' };
  if (isGo) {
    const match = shellTabs.find(({ goKey }) => goKey === key.toLowerCase());
    return match === undefined ? { kind: 'none' } : { kind: 'tab', id: match.id };
  }
  const side = sideKeys[key.toLowerCase()];
  if (side !== undefined) return { kind: 'ticket', side };
  return { kind: key === 'g' ? 'awaitGo' : 'none' };
}

const GO_MS = 1000;

/** Whether a key goes into a text field. At the window the target of a key in a shadow root, such as the rules editor, is its host. */
function isInField(event: Event): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/**
 * The symbol that the keyboard means: of the element with the focus, of the selected row of a table with the focus, else of the chart or the
 * details on screen or about to be. Null: there is none.
 */
function symbolInFocus(): string | null {
  const focused = document.activeElement;
  const marked =
    focused?.closest<HTMLElement>('[data-symbol]') ??
    focused?.querySelector<HTMLElement>('[aria-selected=true] [data-symbol]') ??
    document.querySelector<HTMLElement>('main [data-symbol-shown]');
  return marked?.dataset['symbol'] ?? marked?.dataset['symbolShown'] ?? symbolOfChart();
}

/** The symbol that the dashboard's first chart will show, while the page still loads: one of the address, before saved places are restored. */
function symbolOfChart(): string | null {
  const { activeTab, opened, pages } = navigation;
  if (activeTab !== 'dashboard' || pageOf('dashboard', pages.dashboard) !== 'overview') return null;
  return opened.symbol === null ? null : (marketLayout.cells[0]?.symbol ?? opened.symbol);
}

/** @returns whether the key did something */
function runShortcut(step: ShortcutStep): boolean {
  if (step.kind === 'palette') paletteState.open = paletteState.open === 'palette' ? null : 'palette';
  if (step.kind === 'shortcuts') paletteState.open = 'shortcuts';
  if (step.kind === 'tab') openTab(step.id);
  if (step.kind !== 'ticket') return true;
  const symbol = symbolInFocus();
  if (symbol !== null) openTicket({ symbol, side: step.side });
  return symbol !== null;
}

/** Keys that work anywhere in the shell. */
export function useShortcuts(): void {
  // Before the first paint: a key pressed as soon as the page is seen counts.
  useLayoutEffect(() => {
    let goUntilMs = 0;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return;
      const isTyping = isInField(event) || paletteState.open !== null;
      const press = { key: event.key, isCommand: event.ctrlKey || event.metaKey, isTyping };
      const step = shortcutOf(press, performance.now() < goUntilMs);
      goUntilMs = step.kind === 'awaitGo' ? performance.now() + GO_MS : 0;
      if (step.kind === 'none' || step.kind === 'awaitGo') return;
      if (runShortcut(step)) event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Which of the two dialogs that open from anywhere is open. */
const paletteState = proxy<{ open: 'palette' | 'shortcuts' | null }>({ open: null });

export function showDialog(which: 'palette' | 'shortcuts' | null): void {
  paletteState.open = which;
}

onUserReset(() => showDialog(null));

interface PaletteItem extends SearchItem {
  run: () => void;
}

interface TabEntry {
  id: TabId;
  label: string;
  pages: readonly { id: string; label: string }[];
}

interface PaletteActions {
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

/** Alerts typed as words, such as `alert BTC 70000`. */
const alertItems = (typed: string, symbols: readonly string[]): PaletteItem[] =>
  parseAlert(typed, symbols).map((alert) => ({
    id: `alert-${alert.symbol}`,
    label: alertLine(alert),
    group: 'Alert',
    run: () => openAlertForm({ condition: conditionOf(alert) }),
  }));

/** Orders typed as words, such as `buy BTC 500`. */
const orderItems = (typed: string, symbols: readonly string[]): PaletteItem[] =>
  parseOrder(typed, symbols).map((request) => ({
    id: `order-${request.side}-${request.symbol}`,
    label: orderLine(request),
    group: 'Order',
    run: () => openTicket(request),
  }));

/** Ctrl-K: every tab, page, command and symbol by a few letters; `?`: the list of keys. */
export function CommandPalette({ onLogOut }: { onLogOut: () => void }) {
  const { open } = useSnapshot(paletteState);
  return (
    <Dialog.Root
      open={open !== null}
      onOpenChange={(isOpen) => {
        if (!isOpen) showDialog(null);
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-[color-mix(in_srgb,var(--bg)_70%,transparent)]" />
        <Dialog.Popup className="popup fixed top-[12dvh] left-1/2 z-50 w-[min(560px,calc(100vw-24px))] -translate-x-1/2 p-3 outline-none">
          {open === 'shortcuts' ? <ShortcutList /> : <Search onLogOut={onLogOut} />}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Search({ onLogOut }: { onLogOut: () => void }) {
  const universe = useSymbols();
  const symbols = useMemo(() => (universe.data === undefined ? [] : tradedSymbols(universe.data)), [universe.data]);
  const itemsOf = useCallback(
    (typed: string) => orderItems(typed, symbols).concat(alertItems(typed, symbols)),
    [symbols],
  );
  const items = useMemo(() => {
    return paletteItems(shellTabs, symbols, {
      openTab,
      openChart: (symbol) => {
        chooseSymbol(symbol);
        openTab('dashboard');
      },
      openBacktest: openLabOn,
      toggleTheme,
      toggleColours: togglePalette,
      toggleTimeZone,
      openDocumentation: () => window.open(documentationPath, '_blank', 'noopener'),
      showShortcuts: () => showDialog('shortcuts'),
      logOut: onLogOut,
    });
  }, [symbols, onLogOut]);
  return (
    <>
      <Dialog.Title className="sr-only">Command palette</Dialog.Title>
      <SearchList
        label="Search tabs, symbols and commands"
        placeholder="Tab, symbol, buy BTC 500 or alert BTC 70000"
        items={items}
        itemsOf={itemsOf}
        emptyText="No match."
        onPick={(item) => {
          showDialog(null);
          item.run();
        }}
      />
    </>
  );
}

function ShortcutList() {
  const rows: [string, string][] = [
    ['Ctrl K', 'Search tabs, symbols and commands'],
    ['?', 'This list'],
    ['b', 'Buy the symbol in focus'],
    ['s', 'Sell the symbol in focus'],
    ...shellTabs.map(({ goKey, label }): [string, string] => [`g ${goKey}`, `Go to ${label}`]),
  ];
  return (
    <>
      <Dialog.Title className="mb-2 text-section font-semibold">Keyboard shortcuts</Dialog.Title>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
        {rows.map(([keys, meaning]) => (
          <div key={keys} className="contents">
            <dt className="flex gap-1">
              {keys.split(' ').map((key) => (
                <kbd key={key} className="kbd">
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <Dialog.Close className="btn mt-3">Close</Dialog.Close>
    </>
  );
}
