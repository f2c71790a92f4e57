import type pg from 'pg';
import type { Bus, BusMessage } from '../../../platform/bus/port.ts';
import { respondOnBus } from '../../../platform/bus/requests.ts';
import { decode, encode } from '../../../platform/bus/wire.ts';
import {
  createLeadership,
  type Leadership,
  nodeName,
  type Term,
  untilAborted,
} from '../../../platform/jobs/leadership.ts';
import { withPriority } from '../../../platform/readPriority.ts';
import { repeat } from '../../../platform/repeat.ts';
import type { ExchangeId, FeedRequest, Interval, LiveQuote, VenueFeed } from '../port.ts';
import { createSharedReads } from './sharedVenue.ts';
import {
  barSubject,
  callSubject,
  type CallMessage,
  type CallResponse,
  type OwnVenue,
  quoteSubject,
  type Report,
  REPORT_MS,
  reportSubject,
  seriesText,
  type VenueReport,
  WANT_LIFE_MS,
  type WantMessage,
  wantSubject,
} from './wire.ts';

export interface OwnVenues {
  byExchange: Record<ExchangeId, OwnVenue>;
  close: () => Promise<unknown>;
}

export interface GatewayOptions {
  bus: Bus;
  newClient: () => pg.Client;
  /** Opens the exchanges; called by the node that leads only. */
  openVenues: () => OwnVenues;
  /** The last report of the gateway before, whose limits this one takes over. */
  lastReport: () => (Report & { ageMs: number }) | undefined;
  onError: (error: unknown) => void;
  now?: () => number;
}

export const GATEWAY_LEADER = 'market';

/** Quotes of a symbol are sent at most this often. */
const QUOTES_MS = 250;
/** A subscription that failed is tried again after this time. */
const RETRY_MS = 5000;

/**
 * Serves the market to all nodes while this one holds the lease: only it opens connections to exchanges, so it has their whole budget.
 * Another node with this role waits for the lease.
 */
export const startGateway = (options: GatewayOptions): Leadership =>
  createLeadership({
    name: GATEWAY_LEADER,
    node: nodeName(),
    newClient: options.newClient,
    onError: options.onError,
    ...(options.now && { now: options.now }),
    lead: (term) => lead(options, term),
  });

async function lead(options: GatewayOptions, term: Term): Promise<void> {
  const { bus, onError, now = Date.now } = options;
  const { epoch, signal } = term;
  const venues = options.openVenues();
  const last = options.lastReport();
  for (const venue of Object.values(venues.byExchange)) {
    const limits = last?.venues[venue.exchange]?.limits;
    if (last !== undefined && limits !== undefined) venue.assume(limits, last.ageMs);
  }
  /** A former gateway that has not noticed sends nothing more; its epoch would be ignored, too. */
  const send = (messages: readonly BusMessage[]): void => {
    if (!signal.aborted) bus.publish(messages);
  };
  const streams = Object.values(venues.byExchange).map((venue) => new GatewayFeed(venue, epoch, send, now));
  const read = createSharedReads(venues.byExchange, now);
  const stops = [
    bus.subscribe(wantSubject, {
      onMessage({ body }) {
        const message = decode(body) as WantMessage;
        streams.find(({ exchange }) => exchange === message.exchange)?.take(message);
      },
    }),
    respondOnBus(bus, callSubject, (body) => respond(read, body as CallMessage, now), onError),
    repeat(
      QUOTES_MS,
      () => {
        for (const each of streams) each.flush();
        return Promise.resolve();
      },
      onError,
    ),
    repeat(
      REPORT_MS,
      async () => {
        await Promise.all(streams.map((each) => each.apply()));
        send([{ subject: reportSubject, body: encode(reportOf(epoch, streams)) }]);
      },
      onError,
    ),
  ];
  try {
    // Sent at once: the nodes repeat what they need and what they wait for.
    await bus.isReady(RETRY_MS);
    send([{ subject: reportSubject, body: encode(reportOf(epoch, streams)) }]);
    await untilAborted(signal);
  } finally {
    for (const stop of stops) stop();
    for (const each of streams) each.close();
    await venues.close();
  }
}

const reportOf = (epoch: number, streams: readonly GatewayFeed[]): Report => ({
  epoch,
  node: nodeName(),
  venues: Object.fromEntries(streams.map((each) => [each.exchange, each.report()])),
});

async function respond(
  read: ReturnType<typeof createSharedReads>,
  call: CallMessage,
  now: () => number,
): Promise<CallResponse> {
  const { patienceMs, ...priority } = call.priority;
  const work = () => read(call);
  const { outcome, pageCount } = await withPriority({ ...priority, patienceMs: patienceMs ?? Infinity }, work);
  return { outcome, pageCount, sentAtMs: now() };
}

interface Want extends WantMessage {
  atMs: number;
}

/** The streams of one exchange for all nodes. */
class GatewayFeed {
  readonly exchange: ExchangeId;
  readonly #venue: OwnVenue;
  readonly #epoch: number;
  readonly #send: (messages: readonly BusMessage[]) => void;
  readonly #now: () => number;
  readonly #feed: VenueFeed;
  readonly #wants = new Map<string, Want>();
  readonly #quotes = new Map<string, LiveQuote>();
  #prices: ReadonlySet<string> = new Set();
  #series: FeedRequest['candles'] = [];
  #applied = '';
  #isApplying = false;
  #tryAtMs = 0;

  constructor(venue: OwnVenue, epoch: number, send: (messages: readonly BusMessage[]) => void, now: () => number) {
    this.exchange = venue.exchange;
    this.#venue = venue;
    this.#epoch = epoch;
    this.#send = send;
    this.#now = now;
    this.#feed = venue.feed({
      bar: (bar) => {
        const subject = barSubject(this.exchange, bar.symbol, bar.interval);
        this.#send([{ subject, body: encode({ epoch, bar }) }]);
      },
      quote: (quote) => {
        if (this.#prices.has(quote.symbol)) this.#quotes.set(quote.symbol, quote);
      },
    });
  }

  take(message: WantMessage): void {
    if (message.isClosed) this.#wants.delete(message.feed);
    else this.#wants.set(message.feed, { ...message, atMs: this.#now() });
    // The next round tries again and reports a failure.
    this.apply().catch(() => undefined);
  }

  /** Subscribes to what the nodes need together. */
  async apply(): Promise<void> {
    const nowMs = this.#now();
    for (const [feed, { atMs }] of this.#wants) if (nowMs - atMs > WANT_LIFE_MS) this.#wants.delete(feed);
    const wants = [...this.#wants.values()];
    const prices = [...new Set(wants.flatMap((each) => each.prices))].sort();
    const keys = wants.flatMap(({ candles }) =>
      Object.entries(candles).flatMap(([interval, symbols]) => symbols.map((symbol) => `${symbol} ${interval}`)),
    );
    const series = [...new Set(keys)].sort();
    const key = JSON.stringify([prices, series]);
    if (key === this.#applied || this.#isApplying || nowMs < this.#tryAtMs) return;
    if (this.#applied === '' && wants.length === 0) return;
    this.#isApplying = true;
    this.#prices = new Set(prices);
    this.#series = series.map((text) => {
      const [symbol = '', interval] = text.split(' ');
      return { symbol, interval: interval as Interval };
    });
    try {
      const applied = await this.#feed.want({ prices, candles: this.#series });
      if (applied.ok) this.#applied = key;
      else this.#tryAtMs = this.#now() + RETRY_MS;
    } finally {
      this.#isApplying = false;
    }
  }

  flush(): void {
    if (this.#quotes.size === 0) return;
    const epoch = this.#epoch;
    const messages = [...this.#quotes.values()].map((quote) => ({
      subject: quoteSubject(this.exchange, quote.symbol),
      body: encode({ epoch, quote }),
    }));
    this.#quotes.clear();
    this.#send(messages);
  }

  report(): VenueReport {
    const venue = this.#venue;
    return {
      state: venue.state(),
      clockOffset: venue.clockOffset() ?? null,
      limits: venue.limits(),
      health: this.#feed.health(),
      dataAtMs: this.#feed.dataAtMs(),
      silent: this.#series.filter((each) => this.#feed.isSilent(each)).map(seriesText),
    };
  }

  close(): void {
    this.#feed.close();
  }
}
