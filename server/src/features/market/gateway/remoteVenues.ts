import { randomBytes } from 'node:crypto';
import { byVenue } from '@sextant/workers/src/core/byVenue.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { decode, encode } from '../../../platform/bus/wire.ts';
import type { Outcome } from '../../../platform/errors.ts';
import type {
  ExchangeId,
  FeedHealth,
  FeedListener,
  FeedRequest,
  Interval,
  SymbolList,
  TopQuote,
  VenueFeed,
} from '../port.ts';
import { noStream } from '../noStream.ts';
import type { GatewayLink } from './gatewayLink.ts';
import {
  type BarMessage,
  barSubject,
  type NodeVenue,
  type QuoteMessage,
  quoteSubject,
  seriesText,
  WANT_MS,
  type WantMessage,
  wantSubject,
} from './wire.ts';

/** The exchanges through the market gateway: this process opens no connection to them. */
export function createRemoteVenues(link: GatewayLink): {
  byExchange: Record<ExchangeId, NodeVenue>;
  close: () => Promise<void>;
} {
  const byExchange = byVenue((exchange) => createRemoteVenue(link, exchange));
  return {
    byExchange,
    close: async () => {
      await Promise.all(Object.values(byExchange).map((venue) => venue.close()));
      link.close();
    },
  };
}

function createRemoteVenue(link: GatewayLink, exchange: ExchangeId): NodeVenue {
  const feeds = new Set<RemoteFeed>();
  const read = async <T>(
    name: Parameters<GatewayLink['call']>[1],
    request?: unknown,
    signal?: AbortSignal,
  ): Promise<Outcome<T>> => (await link.call(exchange, name, request, signal)).outcome as Outcome<T>;
  return {
    exchange,
    state: () => link.report(exchange)?.state ?? 'unknown',
    // Another node's reading says nothing about this node's clock.
    clockOffset: () => (link.isOwn() ? (link.report(exchange)?.clockOffset ?? undefined) : undefined),
    budgets: () => link.report(exchange)?.limits.budgets ?? [],
    async symbols(maxAgeMs) {
      const { outcome, shiftMs } = await link.call(exchange, 'symbols', maxAgeMs, undefined);
      const list = outcome as Outcome<SymbolList>;
      return list.ok ? ok({ ...list.value, readAtMs: list.value.readAtMs + shiftMs }) : list;
    },
    candles: ({ signal, ...request }) => read('candles', request, signal),
    prices: (signal) => read('prices', undefined, signal),
    funding: (symbol, signal) => read('funding', symbol, signal),
    async tops(signal) {
      const { outcome, shiftMs } = await link.call(exchange, 'tops', undefined, signal);
      const tops = outcome as Outcome<TopQuote[]>;
      if (!tops.ok) return tops;
      return ok(tops.value.map((each) => ({ ...each, receivedAtMs: each.receivedAtMs + shiftMs })));
    },
    orderBook: (symbol, signal) => read('orderBook', symbol, signal),
    tiers: (symbol, signal) => read('tiers', symbol, signal),
    async fundingHistory({ onPage, ...request }, signal) {
      const { outcome, pageCount } = await link.call(exchange, 'fundingHistory', request, signal);
      for (let page = 0; page < pageCount; page++) onPage?.();
      return outcome as Awaited<ReturnType<NodeVenue['fundingHistory']>>;
    },
    openInterest: (symbol, signal) => read('openInterest', symbol, signal),
    openInterestSeries: (request, signal) => read('openInterestSeries', request, signal),
    longShortSeries: (request, signal) => read('longShortSeries', request, signal),
    turnovers: (signal) => read('turnovers', undefined, signal),
    feed(listener) {
      const feed = new RemoteFeed(link, exchange, listener);
      feeds.add(feed);
      return feed;
    },
    close: () => {
      for (const feed of feeds) feed.close();
      return Promise.resolve();
    },
  };
}

/** Streams of one exchange through the gateway. */
class RemoteFeed implements VenueFeed {
  readonly #link: GatewayLink;
  readonly #exchange: ExchangeId;
  readonly #listener: FeedListener;
  readonly #id = randomBytes(6).toString('hex');
  /** Active subscriptions by subject. */
  readonly #active = new Map<string, () => void>();
  readonly #stopNews: () => void;
  #request: FeedRequest | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(link: GatewayLink, exchange: ExchangeId, listener: FeedListener) {
    this.#link = link;
    this.#exchange = exchange;
    this.#listener = listener;
    this.#stopNews = link.onNews(() => this.#send(false));
  }

  want(request: FeedRequest): Promise<Outcome<null>> {
    this.#request = request;
    this.#timer ??= setInterval(() => this.#send(false), WANT_MS).unref();
    const wanted = new Map<string, (body: string) => void>();
    for (const symbol of request.prices) wanted.set(quoteSubject(this.#exchange, symbol), (body) => this.#quote(body));
    for (const { symbol, interval } of request.candles)
      wanted.set(barSubject(this.#exchange, symbol, interval), (body) => this.#bar(body));
    for (const [subject, stop] of this.#active)
      if (!wanted.has(subject)) {
        stop();
        this.#active.delete(subject);
      }
    for (const [subject, take] of wanted)
      if (!this.#active.has(subject))
        this.#active.set(subject, this.#link.bus.subscribe(subject, { onMessage: ({ body }) => take(body) }));
    this.#send(false);
    return Promise.resolve(ok(null));
  }

  health(): FeedHealth {
    return this.#link.report(this.#exchange)?.health ?? noStream;
  }

  dataAtMs(): { candles: number | null; prices: number | null } {
    return this.#link.report(this.#exchange)?.dataAtMs ?? { candles: null, prices: null };
  }

  /** Without a gateway all are silent: what it does not bring is requested once another one takes over. */
  isSilent(series: { symbol: string; interval: Interval }): boolean {
    const report = this.#link.report(this.#exchange);
    return report === undefined || report.silent.includes(seriesText(series));
  }

  close(): void {
    if (this.#request !== undefined) this.#send(true);
    clearInterval(this.#timer);
    this.#stopNews();
    for (const stop of this.#active.values()) stop();
    this.#active.clear();
  }

  #quote(body: string): void {
    const { epoch, quote } = decode(body) as QuoteMessage;
    // By this node's clock: the gateway's may differ.
    if (this.#link.isCurrent(epoch)) this.#listener.quote({ ...quote, receivedAtMs: Date.now() });
  }

  #bar(body: string): void {
    const { epoch, bar } = decode(body) as BarMessage;
    if (this.#link.isCurrent(epoch)) this.#listener.bar(bar);
  }

  #send(isClosed: boolean): void {
    const request = this.#request;
    if (request === undefined) return;
    const candles: WantMessage['candles'] = {};
    for (const { symbol, interval } of request.candles) (candles[interval] ??= []).push(symbol);
    const prices = [...request.prices];
    const message: WantMessage = { feed: this.#id, exchange: this.#exchange, prices, candles, isClosed };
    this.#link.bus.publish([{ subject: wantSubject, body: encode(message) }]);
  }
}
