import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { subscribe } from 'valtio';
import { takeArbitrageEvent } from '../api/arbitrage.ts';
import { takeEventStart } from '../api/auth.ts';
import { createEventConnection, type EventData } from '../api/eventConnection.ts';
import { notifyDrawingsChanged } from './chartEvents.ts';
import { liveState, takePrices } from './market.ts';
import { takeOrderEvent } from './orders.ts';
import { takePortfolioSearchEvent } from './portfolioSearch.ts';
import { notifyPositionsChanged } from './positions.ts';
import { queryKeys } from '../api/queryKeys.ts';
import { confirmSessionEnd } from './sessionEnd.ts';
import { takeScanEvent } from '../api/scan.ts';
import { takeSearchEvent } from '../api/searches.ts';
import { takeVisionEvent } from '../api/vision.ts';
import type { Preferences } from '../api/types.ts';

/** Queries to refetch when the server reports a changed topic. A new topic is a line here. */
const keysOfTopic: Record<string, readonly QueryKey[]> = {
  preferences: [queryKeys.preferences],
  watchlist: [queryKeys.watchlist],
  charts: [queryKeys.chartLayouts],
  credits: [queryKeys.credits],
  payments: [queryKeys.payments.all],
  scan: [queryKeys.scan.last, queryKeys.scan.away],
  arbitrage: [queryKeys.arbitrage.last],
  vision: [queryKeys.vision.all],
  search: [queryKeys.backtest.searches],
  // Progress alone.
  portfolio_search: [],
  notifications: [
    queryKeys.notifications.settings,
    queryKeys.notifications.deliveries,
    queryKeys.webhooks.all,
    // Receipts show deliveries, and channels their targets.
    queryKeys.alerts.all,
  ],
  positions: [queryKeys.positions.all],
  // What an order opens or closes is a position.
  orders: [queryKeys.orders.all, queryKeys.positions.all],
  api: [queryKeys.apiAccess.keys, queryKeys.apiAccess.subscription],
  news: [queryKeys.news.all],
  alerts: [queryKeys.alerts.all],
};
const names = [...Object.keys(keysOfTopic), 'ready', 'resync', 'session', 'prices'];

/** A hidden page closes the event stream and fetches what it missed when it is shown again. */
const HIDDEN_MS = 30_000;
/** Symbols change while a page mounts: waits, to open one connection for all of them. */
const SETTLE_MS = 250;

function refetch(client: QueryClient, keys: readonly QueryKey[]): void {
  for (const queryKey of keys) void client.invalidateQueries({ queryKey });
}

/** Topics whose events carry progress. */
const takers: Record<string, ((client: QueryClient, data: EventData) => void) | undefined> = {
  scan: takeScanEvent,
  arbitrage: takeArbitrageEvent,
  vision: takeVisionEvent,
  search: takeSearchEvent,
  portfolio_search: (_client, data) => takePortfolioSearchEvent(data),
  charts: takeChartEvent,
  orders: takeOrderEvent,
};

/** Drawings on a symbol are no query: they are merged with changes that wait. Without a symbol the layouts changed. */
function takeChartEvent(client: QueryClient, { symbol, version }: EventData): void {
  if (typeof symbol === 'string' && typeof version === 'number') notifyDrawingsChanged(symbol, version);
  else refetch(client, [queryKeys.chartLayouts]);
}

/** Shows an alert that fired, and why alerts ended. Set by the shell: this file knows no feature. */
export const alertListener: {
  current:
    | { fired: (alertId: string, receiptId: string) => void; ended: (count: number, reason: string) => void }
    | undefined;
} = { current: undefined };

function takeAlertEvent({ change, alert, receipt, page, count, reason }: EventData): void {
  if (change === 'ended' && page === true && typeof count === 'number' && typeof reason === 'string')
    alertListener.current?.ended(count, reason);
  if (change !== 'fired' || page !== true || typeof alert !== 'string' || typeof receipt !== 'string') return;
  alertListener.current?.fired(alert, receipt);
}

/** Queries that an event invalidates. Polling continues, so a lost event only delays an update. */
export function applyEvent(client: QueryClient, name: string, data: EventData): void {
  if (name === 'prices') {
    takePrices(client, queryKeys.market.allPrices, data);
    return;
  }
  const take = takers[name];
  if (take !== undefined) {
    take(client, data);
    return;
  }
  if (name === 'positions') {
    // A note changes no position.
    if (data['change'] === 'journal')
      refetch(client, [
        queryKeys.positions.journal(String(data['position_id'])),
        queryKeys.positions.journalStatistics(),
      ]);
    else notifyPositionsChanged();
    return;
  }
  if (name === 'session') {
    if (data['ended'] === true) void confirmSessionEnd(client);
    return;
  }
  if (name === 'resync' || (name === 'ready' && data['resumed'] !== true)) {
    refetch(client, Object.values(keysOfTopic).flat());
    notifyDrawingsChanged();
    return;
  }
  if (name === 'alerts') takeAlertEvent(data);
  const known = client.getQueryData<Preferences | null>(queryKeys.preferences);
  // The page that saved the change already has it.
  if (name === 'preferences' && known?.updated_at === data['updated_at']) return;
  refetch(client, keysOfTopic[name] ?? []);
}

/** Keeps one event stream open while the page is visible. Use once, in the signed-in shell. */
export function useEvents(): void {
  const client = useQueryClient();
  useEffect(() => startEvents(client), [client]);
}

/** @returns a function that stops it */
function startEvents(client: QueryClient): () => void {
  const connection = createEventConnection({
    openSource: (path) => new EventSource(path),
    startId: takeEventStart(),
    names,
    onEvent: (name, data) => applyEvent(client, name, data),
    onLive: (isLive) => (liveState.isLive = isLive),
  });
  let settling: ReturnType<typeof setTimeout> | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    clearTimeout(settling);
    settling = setTimeout(() => {
      if (hiding === undefined) connection.open(liveState.wanted.symbols);
    }, SETTLE_MS);
  };
  const onVisibility = () => {
    clearTimeout(hiding);
    hiding = document.hidden ? setTimeout(connection.close, HIDDEN_MS) : undefined;
    if (!document.hidden) open();
  };
  const stopWatching = subscribe(liveState.wanted, open);
  document.addEventListener('visibilitychange', onVisibility);
  open();
  return () => {
    clearTimeout(settling);
    clearTimeout(hiding);
    stopWatching();
    document.removeEventListener('visibilitychange', onVisibility);
    connection.close();
  };
}
