import { reject } from '../../../src/platform/errors.ts';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import type { AlertCondition } from '@sextant/workers/src/alerts/conditions.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startAlertWatch } from '../../../src/features/alerts/watch/startAlertWatch.ts';
import { insertAlert } from '../../../src/features/alerts/alertRepository.ts';
import { createEndedFinder } from '../../../src/features/market/endedContracts.ts';
import type { ExchangeId, FuturesSymbol, LeftOut, Market, PriceQuote } from '../../../src/features/market/port.ts';
import { dispatchQueued } from '../../../src/features/notifications/dispatch.ts';
import { textOf } from '../../../src/features/notifications/message.ts';
import { eventChannel } from '../../../src/platform/events/notify.ts';
import { withUser } from '../../../src/platform/db/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { newPosition, openOne, silentNews, until } from '../positions/support/positions.ts';
import { MINUTE_MS, ScriptedMarket, simulated } from '../positions/support/scriptedMarket.ts';

const start = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 60 * MINUTE_MS;

let database: TestDatabase;
let module: WebAssembly.Module;
beforeAll(async () => {
  database = await createTestDatabase();
  ({ module } = await loadModule());
});
afterAll(() => database.drop());

const running: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.close();
  await database.asOwner('delete from users');
  await database.asOwner('delete from history_listings');
});

const listing = (symbol: string, more: Partial<FuturesSymbol> = {}): FuturesSymbol => ({
  symbol,
  base: symbol.replace('USDT', ''),
  tickSize: 0.01,
  stepSize: 0.001,
  minNotional: 5,
  maxQuantity: 1000,
  maxLeverage: 50,
  fundingHours: 8,
  listedAtMs: null,
  status: 'trading',
  ...more,
});

const leftOut: LeftOut = {
  stock: 0,
  commodity: 0,
  index: 0,
  otherAsset: 0,
  unclassified: 0,
  otherQuote: 0,
  datedFuture: 0,
  malformed: 0,
};

/** Each exchange lists its own contracts. */
class ListedMarket extends ScriptedMarket {
  readonly readTop = () => null;
  readonly listed: Record<ExchangeId, FuturesSymbol[]> = { binance: [], bybit: [], okx: [] };
  override readonly symbols: Market['symbols'] = ({ exchange = 'binance' } = {}) =>
    Promise.resolve(ok({ exchange, fetchedAtMs: Date.now(), value: this.listed[exchange], leftOut }));
}

const symbols = ['BTCUSDT', 'SOLUSDT', 'XRPUSDT'];
function listedMarket(): ListedMarket {
  const market = new ListedMarket();
  for (const exchange of ['binance', 'bybit', 'okx'] as const)
    market.listed[exchange] = symbols.map((symbol) => listing(symbol));
  return market;
}
function end(market: ListedMarket, exchange: ExchangeId, symbol: string, more: Partial<FuturesSymbol>): void {
  market.listed[exchange] = market.listed[exchange].map((each) =>
    each.symbol === symbol ? { ...each, status: 'halted', ...more } : each,
  );
}

async function watch(market: ListedMarket): Promise<void> {
  const watching = startAlertWatch({
    db: database.db,
    market,
    config: simulated,
    newClient: database.newClient,
    newEngine: () => instantiate(module),
    newsVotes: silentNews,
    warn: (error) => expect.unreachable(String(error)),
    onError: () => undefined,
  });
  running.push(watching);
  await watching.attempted;
}

const price = (symbol: string, more: object = {}): AlertCondition => ({
  kind: 'price',
  exchange: 'binance',
  symbol,
  when: 'cross',
  level: 100,
  ...more,
});

async function set(userId: string, condition: AlertCondition, channels = ['page'], repeats = false): Promise<string> {
  const alert = await withUser(database.db, userId, (tx) =>
    insertAlert(tx, userId, {
      market: 'simulated',
      condition,
      repeats,
      pauseS: 1,
      channels,
      note: null,
      expiresAt: null,
      side: 'below',
      sinceMs: start,
    }),
  );
  if (alert === null) throw new Error('the list is full');
  return alert.id;
}

const stateOf = async (id: string) => {
  const [row] = await database.asOwner<{ state: string; state_reason: string | null }>(
    'select state, state_reason from alerts where id = $1',
    [id],
  );
  return row;
};
const isStopped = (id: string) => async (): Promise<boolean> => (await stateOf(id))?.state === 'stopped';

/** Notices about alerts that ended, as pages get them, by user. */
async function followEnds(): Promise<{ u: string; d: { count: number; reason: string } }[]> {
  const notices: { u: string; d: { count: number; reason: string } }[] = [];
  const client = database.newClient();
  await client.connect();
  running.push({ close: () => client.end() });
  client.on('notification', ({ payload = '{}' }) => {
    const notice = JSON.parse(payload) as {
      u: string;
      t: string;
      d: { change: string; count: number; reason: string };
    };
    if (notice.t === 'alerts' && notice.d.change === 'ended') notices.push(notice);
  });
  await client.query(`listen ${eventChannel}`);
  return notices;
}

const storeEnd = (symbol: string, endedAt: string) =>
  database.asOwner(
    `insert into history_listings (source, exchange, symbol, first_seen_at, last_seen_at, ended_at)
     values ('simulated', 'binance', $1, '2026-01-01', $2, $2)`,
    [symbol, endedAt],
  );

describe('alerts on a contract that has ended', () => {
  it('HIST-120 HIST-121 end with the day of the end, one notice for each owner, and their receipts stay', async () => {
    const [anna, bert] = [await database.addUser(), await database.addUser()];
    const market = listedMarket();
    const notices = await followEnds();
    const fired = await set(anna, price('SOLUSDT'), ['page', 'telegram'], true);
    const indicator = await set(
      anna,
      {
        kind: 'indicator',
        exchange: 'binance',
        symbol: 'SOLUSDT',
        interval: '1h',
        indicator: 'rsi',
        params: { period: 14 },
        output: 'rsi',
        when: 'below',
        level: 30,
      },
      ['page', 'email'],
    );
    const spread = await set(bert, {
      kind: 'spread',
      symbol: 'SOLUSDT',
      buy: 'okx',
      sell: 'binance',
      net_pct: 1,
      hold_hours: 8,
    });
    const others = [
      await set(anna, price('BTCUSDT')),
      await set(bert, price('SOLUSDT', { exchange: 'bybit' })),
      await set(anna, { kind: 'news', symbol: 'SOLUSDT', high_impact: false }),
    ];
    await storeEnd('SOLUSDT', '2026-03-04T09:30:00Z');
    await watch(market);
    let second = 0;
    const receiptCount = async () =>
      (await database.asOwner('select id from alert_receipts where alert_id = $1', [fired])).length;
    await until('it fires', async () => {
      market.tick('SOLUSDT', 99, start + (second += 1000));
      market.tick('SOLUSDT', 101, start + (second += 1000));
      return (await receiptCount()) > 0;
    });

    end(market, 'binance', 'SOLUSDT', { hasEnded: true });
    for (const id of [fired, indicator, spread]) await until('it stops', isStopped(id));
    const reason = 'SOLUSDT was delisted on binance on 2026-03-04.';
    for (const id of [fired, indicator, spread])
      expect(await stateOf(id)).toEqual({ state: 'stopped', state_reason: reason });
    for (const id of others) expect(await stateOf(id)).toEqual({ state: 'active', state_reason: null });
    expect(await receiptCount()).toBeGreaterThan(0);

    await until('both notices', () => Promise.resolve(notices.length >= 2));
    expect(
      notices.map(({ u, d }) => ({ u, count: d.count, reason: d.reason })).toSorted((a, b) => b.count - a.count),
    ).toEqual([
      { u: anna, count: 2, reason },
      { u: bert, count: 1, reason },
    ]);
    // The alert of the other user names the page alone.
    const messages = await database.asOwner<{ user_id: string; payload: never; created_at: Date }>(
      `select user_id, payload, created_at from notifications where kind = 'alert_ended'`,
    );
    expect(messages).toMatchObject([
      {
        user_id: anna,
        payload: {
          exchange: 'binance',
          symbol: 'SOLUSDT',
          ended_on: '2026-03-04',
          count: 2,
          reason,
          channels: ['email', 'telegram'],
        },
      },
    ]);
    for (const { payload, created_at: createdAt } of messages)
      expect(textOf({ kind: 'alert_ended', payload, createdAt })).toBe(`2 alerts on SOLUSDT ended\n${reason}`);
  });

  it('HIST-121 are reported on the channels that they name, and on no other', async () => {
    const anna = await database.addUser();
    await database.asOwner(
      `insert into notification_targets (user_id, channel, address, is_on, kinds) values ($1, 'telegram', '77', true, '{}')`,
      [anna],
    );
    await set(anna, price('SOLUSDT'), ['page', 'telegram', 'email']);
    const market = listedMarket();
    end(market, 'binance', 'SOLUSDT', { hasEnded: true });
    await watch(market);
    await until('the message', async () => (await database.asOwner(`select id from notifications`)).length === 1);
    const sent: unknown[] = [];
    const jobs = {
      sendAll: (_tx: unknown, _queue: unknown, all: readonly unknown[]) => Promise.resolve(void sent.push(...all)),
    };
    await dispatchQueued({ db: database.db, jobs });
    const rows = await database.asOwner<{ channel: string }>('select channel from notification_deliveries order by 1');
    expect(rows.map(({ channel }) => channel)).toEqual(['email', 'telegram']);
    expect(sent).toHaveLength(2);
  });

  it('HIST-120 a halted contract and a list that fails end none, and without a stored list the day is that of the detection', async () => {
    const anna = await database.addUser();
    const halted = await set(anna, price('XRPUSDT'));
    const ended = await set(anna, price('SOLUSDT'));
    const market = listedMarket();
    end(market, 'binance', 'XRPUSDT', {});
    end(market, 'binance', 'SOLUSDT', { hasEnded: true });
    const before = new Date().toISOString().slice(0, 10);
    await watch(market);
    await until('it stops', isStopped(ended));
    const after = new Date().toISOString().slice(0, 10);
    const days = [before, after].map((day) => `SOLUSDT was delisted on binance on ${day}.`);
    expect(days).toContain((await stateOf(ended))?.state_reason);
    expect(await stateOf(halted)).toEqual({ state: 'active', state_reason: null });
  });

  it('HIST-120 an alert on the liquidation of a position that was settled ends with the same reason', async () => {
    const anna = await database.addUser();
    const position = await openOne(database, newPosition(anna, { symbol: 'SOLUSDT', liquidationPrice: 50 }));
    const id = await set(anna, { kind: 'liquidation', position_id: position, distance_pct: 5 });
    await database.asOwner(
      `update positions set closed_at = '2099-03-04T10:00:00Z', close_price = entry_price, close_reason = 'DELISTED' where id = $1`,
      [position],
    );
    await watch(listedMarket());
    await until('it stops', isStopped(id));
    expect((await stateOf(id))?.state_reason).toBe('SOLUSDT was delisted on binance on 2099-03-04.');
  });
});

describe('the search for ended contracts', () => {
  it('HIST-120 a symbol that is missing has ended after three lists over 25 s without a price, and never while it has one', async () => {
    let nowMs = 1_000_000;
    let priced: string[] = ['SOLUSDT'];
    let isListed = true;
    let arePricesAway = false;
    const find = createEndedFinder(
      {
        symbols: () => {
          const value = ['BTCUSDT', 'XRPUSDT', ...(isListed ? ['SOLUSDT'] : [])].map((each) => listing(each));
          // Longer lists: one symbol of three is more than a list may lack.
          const rest = Array.from({ length: 20 }, (_, i) => listing(`A${i}USDT`));
          return Promise.resolve(ok({ exchange: 'binance', fetchedAtMs: nowMs, value: [...value, ...rest], leftOut }));
        },
        prices: ({ symbols: wanted }) => {
          if (arePricesAway) return Promise.resolve(reject('upstream_unavailable', 'away'));
          const value = wanted.filter((each) => priced.includes(each)).map((symbol) => ({ symbol }) as PriceQuote);
          return Promise.resolve(ok({ exchange: 'binance', fetchedAtMs: nowMs, value, missing: [] }));
        },
      },
      20_000,
    );
    const round = (): Promise<string[]> => {
      nowMs += 10_000;
      return find('binance', ['SOLUSDT', 'BTCUSDT']);
    };
    expect(await round()).toEqual([]);
    isListed = false;
    for (let i = 0; i < 5; i++) expect(await round()).toEqual([]);
    priced = [];
    // Without prices nothing is known of a missing symbol.
    arePricesAway = true;
    for (let i = 0; i < 5; i++) expect(await round()).toEqual([]);
    arePricesAway = false;
    expect(await round()).toEqual([]);
    expect(await round()).toEqual([]);
    expect(await round()).toEqual([]);
    expect(await round()).toEqual(['SOLUSDT']);
  });
});
