import { migrateDatabase } from '@sextant/db/src/migrate.ts';
import { startWebhookReceiver, type WebhookFake } from '@sextant/server/fakes/webhook/server.ts';
import { startThrowawayCluster } from '@sextant/server/launch/postgres/throwaway.ts';
import { readConfig } from '@sextant/server/src/config.ts';
import { createDeps, type Deps } from '@sextant/server/src/deps.ts';
import { insertAlert, markShown } from '@sextant/server/src/features/alerts/alertRepository.ts';
import { startAlertWatch } from '@sextant/server/src/features/alerts/watch/startAlertWatch.ts';
import type { ClosedBar, Market } from '@sextant/server/src/features/market/port.ts';
import { reject } from '@sextant/server/src/platform/errors.ts';
import { startDeliveries } from '@sextant/server/src/features/notifications/startDeliveries.ts';
import { openDatabase } from '@sextant/server/src/platform/db/database.ts';
import { withSystem, withUser } from '@sextant/server/src/platform/db/scope.ts';
import { candlesOf } from '@sextant/workers/src/candles/candleColumns.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { createEnginePool } from '@sextant/workers/src/node/pool.ts';
import { sql } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import { percentilesOf } from '../api/openLoop.ts';
import { rounded } from '../results.ts';
import type { MeasuredLine } from '../suite.ts';

const silent = { vote: undefined, strength: 0, storyCount: 0, stories: [] };

const SYMBOLS = 300;
/** Alerts of each symbol, in as many phases: at each close one of them fires. */
const PHASES = 5;
/** Every third symbol's alerts go to a browser by push, too. */
const PUSHED_EACH = 3;
const ROUNDS = 10;
const WARM_UP = 2;
const HISTORY = 600;
const P99_MAX_MS = 1000;
/** Longest wait for the deliveries of one close. */
const ROUND_MAX_MS = 60_000;
const MINUTE_MS = 60_000;
const exchange = 'binance';
const secret = 'only for this measurement';

const symbolOf = (at: number): string => `S${at}USDT`;
const hasPush = (at: number): boolean => at % PUSHED_EACH === 0;

/** A market whose minutes the bench closes: 300 symbols with the same candles, whose closes repeat their phases. */
class ClosedMarket {
  readonly #startMs: number;
  readonly #listeners = new Set<Parameters<Market['onCandle']>[0]>();
  #count = HISTORY;
  /** Candles by count and end, the same for every symbol. */
  readonly #read = new Map<string, Candles>();

  /** @param rounds minutes that will be closed: the last one ends about now, as the watch compares with the clock */
  constructor(rounds: number) {
    this.#startMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - (HISTORY + rounds) * MINUTE_MS;
  }

  #bar(index: number): Omit<ClosedBar, 'symbol' | 'interval'> {
    const close = 100 + (index % PHASES);
    return { time: this.#startMs + index * MINUTE_MS, open: close, high: close + 1, low: close - 1, close, volume: 10 };
  }

  /** Close of the newest candle, epoch ms. */
  get closedMs(): number {
    return this.#startMs + this.#count * MINUTE_MS;
  }

  readonly onPrice: Market['onPrice'] = () => () => undefined;
  readonly onCandle: Market['onCandle'] = (listener) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  readonly keep: Market['keep'] = () => () => undefined;
  readonly readQuote: Market['readQuote'] = () => null;
  readonly readTop: Market['readTop'] = () => null;
  readonly symbols: Market['symbols'] = () => Promise.resolve(reject('upstream_unavailable'));
  readonly prices: Market['prices'] = () => Promise.resolve(reject('upstream_unavailable'));
  readonly fundingHistory: Market['fundingHistory'] = () =>
    Promise.resolve(
      ok({ exchange, fetchedAtMs: Date.now(), value: { time: new Float64Array(), rate: new Float64Array() } }),
    );

  readonly candles: Market['candles'] = ({ limit, endTimeMs = this.closedMs }) => {
    const end = Math.min(this.#count, Math.round((endTimeMs - this.#startMs) / MINUTE_MS));
    const key = `${limit} ${end}`;
    const candles = this.#read.get(key) ?? this.#columns(end - Math.min(limit, end), end);
    this.#read.set(key, candles);
    return Promise.resolve(ok({ exchange, fetchedAtMs: Date.now(), value: { candles, gaps: [], rejectedCount: 0 } }));
  };

  #columns(from: number, to: number): Candles {
    const bars = Array.from({ length: to - from }, (_, at) => this.#bar(from + at));
    return candlesOf((name) => Float64Array.from(bars, (bar) => bar[name]));
  }

  /** Closes the next minute of every symbol, as a feed that delivers them in one burst. */
  close(): void {
    const bar = this.#bar(this.#count);
    this.#count += 1;
    for (let at = 0; at < SYMBOLS; at++)
      for (const listener of this.#listeners) listener(exchange, { symbol: symbolOf(at), interval: '1m', ...bar });
  }
}

/** One user for each symbol, with an alert for each phase and, for some, a browser of the push service. */
async function addUsers({ db, notifications }: Deps, pushes: WebhookFake, sinceMs: number): Promise<string[]> {
  const users: string[] = [];
  for (let at = 0; at < SYMBOLS; at++) {
    const browser = hasPush(at) ? await makeBrowser(pushes) : undefined;
    const userId = await withSystem(db, async (tx) => {
      const user = { name: 'Trader', email: `trader${at}@example.com` };
      const { id } = await tx.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow();
      if (browser !== undefined)
        await sql`insert into push_subscriptions (user_id, endpoint, p256dh, sealed_auth, label)
          values (${id}, ${browser.endpoint}, ${browser.keys.p256dh}, ${notifications.seal.seal(browser.keys.auth, id)}, 'Bench')`.execute(
          tx,
        );
      return id;
    });
    users.push(userId);
    await withUser(db, userId, async (tx) => {
      for (let phase = 0; phase < PHASES; phase++)
        await insertAlert(tx, userId, {
          market: 'simulated',
          condition: {
            kind: 'formula',
            exchange,
            symbol: symbolOf(at),
            interval: '1m',
            expression: `close > ${99.5 + phase} and close < ${100.5 + phase}`,
          },
          repeats: true,
          pauseS: 1,
          channels: browser === undefined ? ['page'] : ['page', 'push'],
          note: null,
          expiresAt: null,
          side: 'below',
          sinceMs,
        });
    });
  }
  return users;
}

interface Browser {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

async function makeBrowser({ origin }: WebhookFake): Promise<Browser> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${origin}/push/__control/browsers`, { method: 'POST', headers, body: '{}' });
  return (await response.json()) as Browser;
}

async function until(what: string, check: () => Promise<boolean> | boolean): Promise<void> {
  const endMs = performance.now() + ROUND_MAX_MS;
  while (!(await check())) {
    if (performance.now() > endMs) throw new Error(`${what}: not within ${ROUND_MAX_MS / 1000} s`);
    await pause(20);
  }
}

/**
 * As an open page of each user: it records each firing that it is notified of.
 * @returns when each record was stored, epoch ms
 */
function openPages({ db, events }: Deps, users: readonly string[], fail: (error: unknown) => void): number[] {
  const shownMs: number[] = [];
  for (const userId of users)
    events.subscribe(
      {
        userId,
        deliver: ({ topic, data }) => {
          const { change, receipt } = data;
          if (topic !== 'alerts' || change !== 'fired' || typeof receipt !== 'string') return;
          withUser(db, userId, (tx) => markShown(tx, userId, receipt)).then(() => shownMs.push(Date.now()), fail);
        },
      },
      undefined,
    );
  return shownMs;
}

/** When the pushes of one close were recorded as delivered, epoch ms. */
async function readSent({ db }: Deps, closeMs: number): Promise<number[]> {
  const { rows } = await withSystem(db, (tx) =>
    sql<{ ms: number }>`
      select (extract(epoch from d.finished_at) * 1000)::float8 as ms from notification_deliveries d
      join notifications n on n.id = d.notification_id
      where d.channel = 'push' and d.state = 'sent' and n.payload ->> 'exchange_at' = ${new Date(closeMs).toISOString()}`.execute(
      tx,
    ),
  );
  return rows.map(({ ms }) => ms);
}

interface Latencies {
  page: number[];
  push: number[];
}

/** Closes the candles of all symbols at once, again and again. @returns ms from the close to each record */
async function measureRounds(
  deps: Deps,
  { market, users, fail }: { market: ClosedMarket; users: readonly string[]; fail: (error: unknown) => void },
): Promise<Latencies> {
  const shownMs = openPages(deps, users, fail);
  const found: Latencies = { page: [], push: [] };
  const pushes = Math.ceil(SYMBOLS / PUSHED_EACH);
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    shownMs.length = 0;
    const startMs = Date.now();
    market.close();
    const { closedMs } = market;
    await until('records of the pages', () => shownMs.length >= SYMBOLS);
    let sent: number[] = [];
    await until('records of the pushes', async () => (sent = await readSent(deps, closedMs)).length >= pushes);
    if (round < WARM_UP) continue;
    found.page.push(...shownMs.map((atMs) => atMs - startMs));
    found.push.push(...sent.map((atMs) => atMs - startMs));
  }
  return found;
}

/** Starts the product's own parts in this process: the watch of alerts, events, the queue and its deliveries. */
async function measureLatencies(): Promise<Latencies> {
  const cluster = await startThrowawayCluster('alerts', undefined, false);
  const closers: (() => Promise<unknown>)[] = [() => cluster.stop()];
  try {
    const pushes = await startWebhookReceiver();
    closers.unshift(() => pushes.close());
    const { serverUrl } = await migrateDatabase(cluster.ownerUrl, secret);
    const engine = await loadModule();
    const newEngine = () => instantiate(engine.module);
    const database = openDatabase({ url: serverUrl, waitMsMax: ROUND_MAX_MS, onError: () => undefined });
    const deps = createDeps({
      config: readConfig({ SERVER_URL: serverUrl, WEBHOOK_RECEIVER_URL: pushes.origin, EXCHANGES_URL: pushes.origin }),
      database,
      newEngine,
      engine: createEnginePool({ engine, threads: 1, queueMax: 1, deadlineMs: 20_000 }),
      authSecret: secret,
      version: '0.0.0-bench',
      webDir: '/nowhere',
    });
    closers.unshift(() => deps.close());
    const market = new ClosedMarket(WARM_UP + ROUNDS);
    const users = await addUsers(deps, pushes, market.closedMs);
    const failed = Promise.withResolvers<never>();
    // It may fail before anything waits for it.
    failed.promise.catch(() => undefined);
    const fail = (error: unknown): void => failed.reject(error);
    const stopDeliveries = await startDeliveries(deps, fail);
    closers.unshift(() => {
      stopDeliveries();
      return Promise.resolve();
    });
    const watch = startAlertWatch({
      db: deps.db,
      market,
      config: { market: 'simulated', historySource: 'simulated' },
      newsVotes: { read: () => silent, readAt: () => Promise.resolve(silent) },
      newClient: database.newClient,
      newEngine,
      warn: fail,
      onError: fail,
    });
    closers.unshift(() => watch.close());
    await watch.attempted;
    return await Promise.race([measureRounds(deps, { market, users, fail }), failed.promise]);
  } finally {
    for (const close of closers) await close().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  }
}

export const deliveryNote = `delivery: one minute of ${SYMBOLS} symbols closes in one burst, ${ROUNDS} times; of ${SYMBOLS * PHASES} formula alerts a fifth fire each time, a third of them with a push. From the candle at the feed to the record of the page, and of the push to the simulated service; watch, queue, pages and service share one process. The suite fails when a p99 is above ${P99_MAX_MS} ms.`;

/** From the close of a candle at the feed to the record of its delivery, in the page and by push. */
export async function measureDelivery(): Promise<MeasuredLine[]> {
  const found = await measureLatencies();
  return (['page', 'push'] as const).flatMap((channel) => {
    const { p50, p99 } = percentilesOf(found[channel]);
    const lines = [
      { case: `close to ${channel}, p50`, figure: rounded(p50), unit: 'ms' },
      { case: `close to ${channel}, p99`, figure: rounded(p99), unit: 'ms' },
    ];
    const mismatch = `p99 from the close to the ${channel} was ${p99.toFixed(0)} ms; at most ${P99_MAX_MS}`;
    return p99 <= P99_MAX_MS ? lines : [...lines, { case: `close to ${channel}`, mismatch }];
  });
}
