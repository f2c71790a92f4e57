// Long because its cases share one scripted market.
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import type { AlertCondition } from '@sextant/workers/src/alerts/conditions.ts';
import { recompute, type Evidence } from '@sextant/workers/src/alerts/recompute.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ALERTS_LEADER, AlertWatch } from '../../../src/features/alerts/watch/alertWatch.ts';
import { startAlertWatch } from '../../../src/features/alerts/watch/startAlertWatch.ts';
import { withUser } from '../../../src/platform/db/scope.ts';
import { insertAlert, type NewAlert, updateAlert } from '../../../src/features/alerts/alertRepository.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { newPosition, openOne, silentNews, until } from '../positions/support/positions.ts';
import { MINUTE_MS, ScriptedMarket, simulated } from '../positions/support/scriptedMarket.ts';

/** The watch of alerts on a market that the test sets, in its time. */
const start = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 60 * MINUTE_MS;
const at = (minute: number, second = 0): number => start + minute * MINUTE_MS + second * 1000;

let database: TestDatabase;
let module: WebAssembly.Module;
let userId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  ({ module } = await loadModule());
  userId = await database.addUser();
});
afterAll(() => database.drop());

const running: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.close();
  await database.asOwner('delete from alerts');
  await database.asOwner('delete from alert_watermarks');
});

class AlertMarket extends ScriptedMarket {
  readonly readTop = () => null;
}

async function watch(market: AlertMarket, errors: unknown[] = []): Promise<{ close: () => Promise<void> }> {
  const watching = startAlertWatch({
    db: database.db,
    market,
    config: simulated,
    newClient: database.newClient,
    newEngine: () => instantiate(module),
    newsVotes: silentNews,
    warn: (error) => errors.push(error),
    onError: (error) => errors.push(error),
  });
  running.push(watching);
  await watching.attempted;
  return watching;
}

const price = (more: Partial<Extract<AlertCondition, { kind: 'price' }>> = {}): AlertCondition => ({
  kind: 'price',
  exchange: 'binance',
  symbol: 'BTCUSDT',
  when: 'cross',
  level: 100,
  ...more,
});

const set = async (condition: AlertCondition, more: Partial<NewAlert> = {}): Promise<string> => {
  const alert = await withUser(database.db, userId, (tx) =>
    insertAlert(tx, userId, {
      market: 'simulated',
      condition,
      repeats: false,
      pauseS: 1,
      channels: ['page'],
      note: null,
      expiresAt: null,
      side: 'below',
      sinceMs: at(0),
      ...more,
    }),
  );
  if (alert === null) throw new Error('the list is full');
  return alert.id;
};

interface Receipt {
  firing: number;
  condition: AlertCondition;
  evidence: Evidence;
  exchange_at: Date;
  detected_at: Date;
  is_late: boolean;
}
const receipts = (id: string): Promise<Receipt[]> =>
  database.asOwner<Receipt & Record<string, unknown>>(
    'select * from alert_receipts where alert_id = $1 order by firing',
    [id],
  );
const alertOf = async (id: string) =>
  (
    await database.asOwner<{ state: string; state_reason: string | null; side: string | null; fired_count: number }>(
      'select * from alerts where id = $1',
      [id],
    )
  )[0];

/** Ticks until the alert has so many receipts: the first ticks may come before the watch follows the symbol. */
async function tickUntil(id: string, count: number, tick: () => void): Promise<Receipt[]> {
  await until(`${count} receipts`, async () => {
    tick();
    return (await receipts(id)).length >= count;
  });
  return receipts(id);
}

const flat = (minute: number, value: number, more = {}) => ({
  time: at(minute),
  open: value,
  high: value,
  low: value,
  close: value,
  volume: 1,
  ...more,
});

describe('events of webhooks', () => {
  it('DESK-132 an alert that names only the page is an event where a webhook chose it, and is stored nowhere else', async () => {
    const messages = () =>
      database.asOwner<{ payload: { condition: string; channels: string[] } }>(
        `select payload from notifications where user_id = $1 and kind = 'alert_fired'`,
        [userId],
      );
    const market = new AlertMarket();
    const fire = async (level: number): Promise<void> => {
      const id = await set(price({ level }));
      let second = 0;
      await tickUntil(id, 1, () => {
        market.tick('BTCUSDT', level - 1, at(20, second));
        market.tick('BTCUSDT', level + 1, at(20, second + 0.5));
        second += 1;
      });
    };
    await watch(market);
    await fire(100);
    expect(await messages()).toEqual([]);
    await database.asOwner(
      `insert into webhooks (user_id, url, events, secret_hint) values ($1, 'https://example.com/a', '{alert.fired}', 'abcd')`,
      [userId],
    );
    await fire(200);
    expect(await messages()).toMatchObject([{ payload: { condition: 'BTCUSDT crosses 200', channels: ['page'] } }]);
    await database.asOwner('delete from webhooks');
  });
});

describe('price alerts', () => {
  it('DESK-072 a crossing fires once, with the tick that fired it, and its receipt decides the same again', async () => {
    const market = new AlertMarket();
    const id = await set(price());
    await watch(market);
    let second = 0;
    await tickUntil(id, 1, () => {
      market.tick('BTCUSDT', 99, at(1, second));
      market.tick('BTCUSDT', 101, at(1, second + 0.5));
      second += 1;
    });
    market.tick('BTCUSDT', 99, at(3));
    market.tick('BTCUSDT', 101, at(3, 1));
    const [receipt, ...more] = await receipts(id);
    expect(more).toEqual([]);
    expect(receipt?.evidence).toMatchObject({
      side_before: 'below',
      value: 101,
      observation: { source: 'value', value: 101 },
    });
    expect(receipt && recompute(receipt.condition, receipt.evidence)).toEqual({ fires: true, value: 101 });
    expect(await alertOf(id)).toMatchObject({ state: 'fired', fired_count: 1 });
  });

  it('DESK-072 an alert that fires again and again keeps its newest 100 receipts', async () => {
    const market = new AlertMarket();
    const id = await set(price(), { repeats: true });
    await watch(market);
    let second = 0;
    const cross = (): void => {
      market.tick('BTCUSDT', 99, at(1, second));
      market.tick('BTCUSDT', 101, at(1, second + 1));
      second += 2;
    };
    await tickUntil(id, 2, cross);
    await database.asOwner('update alerts set fired_count = 101 where id = $1', [id]);
    await until('the next one is stored', async () => {
      cross();
      return (await receipts(id)).some(({ firing }) => firing > 101);
    });
    // The first of them is more than 100 firings old.
    const firings = (await receipts(id)).map(({ firing }) => firing);
    expect(firings).toContain(102);
    expect(Math.min(...firings)).toBeGreaterThan(Math.max(...firings) - 100);
  });

  it('DESK-073 a crossing while no node ran is found in the minute candles and marked late', async () => {
    const market = new AlertMarket();
    const id = await set(price());
    for (let minute = 0; minute < 30; minute++)
      market.bars.set('BTCUSDT', [
        ...(market.bars.get('BTCUSDT') ?? []),
        flat(minute, 99, minute === 12 ? { high: 100.5 } : {}),
      ]);
    await watch(market);
    await until('the receipt', async () => (await receipts(id)).length === 1);
    const [receipt] = await receipts(id);
    expect(receipt).toMatchObject({ is_late: true, exchange_at: new Date(at(13)) });
    expect(receipt?.evidence.observation).toMatchObject({
      source: 'candle',
      openMs: at(12),
      high: 100.5,
      isWhole: true,
    });
    expect(receipt && recompute(receipt.condition, receipt.evidence).fires).toBe(true);
  });

  it('DESK-074 after a restart neither the same crossing nor one before the alert fires', async () => {
    const market = new AlertMarket();
    const id = await set(price(), { repeats: true });
    const first = await watch(market);
    let second = 0;
    await tickUntil(id, 1, () => {
      market.tick('BTCUSDT', 101, at(5, (second += 0.5)));
    });
    const [fired] = await receipts(id);
    await first.close();
    // The minute of the firing starts below the level and has its low there: the alert is younger than that.
    const firedMinute = Math.floor(((fired?.exchange_at.getTime() ?? 0) - start) / MINUTE_MS);
    for (let minute = 0; minute <= firedMinute; minute++)
      market.bars.set('BTCUSDT', [...(market.bars.get('BTCUSDT') ?? []), flat(minute, 101, { low: 98, close: 101.5 })]);
    // Set in the middle of the minute whose high is above its level.
    const later = await set(price({ level: 101.2 }), { sinceMs: at(firedMinute, 59), side: 'below' });
    market.bars.set(
      'BTCUSDT',
      (market.bars.get('BTCUSDT') ?? []).map((bar) => ({ ...bar, high: 103, close: 101 })),
    );
    await watch(market);
    const next = await set(price({ level: 50, when: 'above' }), { sinceMs: at(firedMinute + 1), side: null });
    let tick = 0;
    await tickUntil(next, 1, () => market.tick('BTCUSDT', 101, at(firedMinute + 2, (tick += 0.1))));
    expect(await receipts(id)).toHaveLength(1);
    expect(await receipts(later)).toHaveLength(0);
  });

  it('DESK-074 an alert that is set while a node takes over fires, and those of its symbol too', async () => {
    const market = new AlertMarket();
    const [before, meanwhile] = [await set(price()), await set(price({ level: 100.5 }))];
    await database.asOwner(
      `insert into leaderships (name, epoch, node, expires_at) values ($1, 1000, 'test', now() + interval '1 minute')
       on conflict (name) do update set epoch = excluded.epoch, node = excluded.node, expires_at = excluded.expires_at`,
      [ALERTS_LEADER],
    );
    const stop = new AbortController();
    const term = { epoch: 1000, signal: stop.signal, end: (reason: unknown) => stop.abort(reason) };
    const newEngine = () => instantiate(module);
    const deps = {
      db: database.db,
      market,
      config: simulated,
      newEngine,
      newsVotes: silentNews,
      warn: () => undefined,
    };
    const taking = new AlertWatch(deps, term);
    // Its notice comes before the stored alerts are read.
    taking.sync(meanwhile);
    await pause(500);
    const run = taking.run();
    let second = 0;
    await tickUntil(meanwhile, 1, () => {
      market.tick('BTCUSDT', 99, at(1, (second += 0.2)));
      market.tick('BTCUSDT', 101, at(1, (second += 0.2)));
    });
    expect(await receipts(before)).toHaveLength(1);
    stop.abort();
    await run;
    await database.asOwner('delete from leaderships where name = $1', [ALERTS_LEADER]);
  });

  it('DESK-075 a paused alert does not fire, and an edited one by its new level', async () => {
    const market = new AlertMarket();
    const id = await set(price());
    await watch(market);
    await database.asOwner(`update alerts set state = 'paused', version = version + 1 where id = $1`, [id]);
    await database.asOwner(`select pg_notify('sextant_events', $1)`, [
      JSON.stringify({ u: userId, t: 'alerts', d: { change: 'set', id } }),
    ]);
    const other = await set(price({ level: 105 }));
    let second = 0;
    await tickUntil(other, 1, () => {
      market.tick('BTCUSDT', 99, at(1, (second += 0.2)));
      market.tick('BTCUSDT', 106, at(1, (second += 0.2)));
    });
    // Both were decided in the order of the ticks, so the paused one had its chance.
    expect(await alertOf(id)).toMatchObject({ state: 'paused', fired_count: 0 });
  });

  it('DESK-072 a burst of firings is stored in parts, each once, while the lease is renewed', async () => {
    const market = new AlertMarket();
    await database.asOwner(
      `insert into alerts (user_id, market, condition, channels, side, since_ms)
       select $1, 'simulated', $2::jsonb, '{page,email}', 'below', $3 from generate_series(1, 250)`,
      [userId, JSON.stringify(price()), at(0)],
    );
    const errors: unknown[] = [];
    await watch(market, errors);
    let second = 0;
    const count = async (): Promise<number> =>
      Number((await database.asOwner<{ count: string }>('select count(*) from alert_receipts'))[0]?.count);
    await until('every receipt', async () => {
      market.tick('BTCUSDT', 101, at(1, (second += 0.5)));
      return (await count()) === 250;
    });
    const states = await database.asOwner('select distinct state, fired_count from alerts');
    expect(states).toEqual([{ state: 'fired', fired_count: 1 }]);
    expect(errors).toEqual([]);
  });

  it('DESK-076 change in minutes is measured from the close of that minute', async () => {
    const market = new AlertMarket();
    for (let minute = 50; minute < 60; minute++)
      market.bars.set('BTCUSDT', [...(market.bars.get('BTCUSDT') ?? []), flat(minute, 50 + minute)]);
    const id = await set(
      { kind: 'change', exchange: 'binance', symbol: 'BTCUSDT', minutes: 5, pct: 10, direction: 'up' },
      { side: null, sinceMs: at(59) },
    );
    await watch(market);
    // Five minutes before 60:20 the last closed minute is 54, which closed at 104.
    let ms = 0;
    const tick = (value: number) => market.tick('BTCUSDT', value, at(60, 20) + ms++);
    const [receipt] = await tickUntil(id, 1, () => {
      tick(114.3);
      tick(114.5);
    });
    expect(receipt?.evidence.basis).toEqual({ kind: 'change', from: { value: 104, atMs: at(55) }, price: 114.5 });
    expect(receipt?.evidence.value).toBeCloseTo((114.5 / 104 - 1) * 100, 12);
    expect(receipt && recompute(receipt.condition, receipt.evidence).fires).toBe(true);
  });
});

describe('alerts at the close of a candle', () => {
  it('DESK-077 an indicator and a formula fire at the close at which they hold, by the closed candles', async () => {
    const market = new AlertMarket();
    for (let minute = 0; minute < 60; minute++) market.candle('BTCUSDT', flat(minute, 100), false);
    const series = { exchange: 'binance', symbol: 'BTCUSDT', interval: '1m' } as const;
    const sma = { ...series, kind: 'indicator', indicator: 'sma', params: { period: 3 }, output: 'sma' } as const;
    const crossing = await set({ ...sma, when: 'cross', level: 101 }, { side: null, sinceMs: at(60) });
    const formula = await set(
      { ...series, kind: 'formula', expression: 'close > 104 and sma(3) > 101' },
      { side: null, sinceMs: at(60) },
    );
    await watch(market);
    await until('the side', async () => (await alertOf(crossing))?.side === 'below');
    // Means of three closes: 100, 100.67, 102.33: above 101 at the close of minute 62.
    for (const [minute, close] of [
      [60, 100],
      [61, 102],
      [62, 105],
      [63, 105],
    ] as const) {
      market.candle('BTCUSDT', flat(minute, close));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    for (const id of [crossing, formula]) {
      await until('its receipt', async () => (await receipts(id)).length === 1);
      const [receipt] = await receipts(id);
      expect(receipt?.exchange_at).toEqual(new Date(at(63)));
      expect(receipt?.evidence.basis).toMatchObject({ kind: 'candles', close_ms: at(63), interval: '1m' });
    }
    const [receipt] = await receipts(crossing);
    expect(receipt?.evidence.value).toBeCloseTo((100 + 102 + 105) / 3, 12);
  });

  it('DESK-202 a candle that closes while the one before is judged is judged at once, too', async () => {
    const market = new AlertMarket();
    // Ahead of the clock: what fetches overdue candles does not help.
    const first = 24 * 60;
    for (let minute = first - 30; minute < first; minute++) market.candle('BTCUSDT', flat(minute, 100), false);
    const id = await set(
      { exchange: 'binance', symbol: 'BTCUSDT', interval: '1m', kind: 'formula', expression: 'close > 104' },
      { side: 'below', sinceMs: at(first) },
    );
    await watch(market);
    await until('the series', () => Promise.resolve(market.watched.has('BTCUSDT 1m')));
    market.candle('BTCUSDT', flat(first, 100));
    // The first is being judged: its candles are a promise.
    market.candle('BTCUSDT', flat(first + 1, 105));
    await until('its receipt', async () => (await receipts(id)).length === 1);
    expect((await receipts(id))[0]?.exchange_at).toEqual(new Date(at(first + 2)));
  });

  it('DESK-221 an alert whose note changes is judged on, not again from its start', async () => {
    const market = new AlertMarket();
    for (let minute = 0; minute < 60; minute++) market.candle('BTCUSDT', flat(minute, 100), false);
    const condition = { exchange: 'binance', interval: '1m', kind: 'formula', expression: 'close > 104' } as const;
    const id = await set({ ...condition, symbol: 'BTCUSDT' }, { side: 'below', sinceMs: at(1) });
    await watch(market);
    let before = -1;
    await until('every close', async () => {
      const count = before;
      before = market.requestCount;
      await pause(200);
      return market.requestCount >= 59 && market.requestCount === before && count === before;
    });
    const change = { condition: { ...condition, symbol: 'BTCUSDT' }, repeats: false, pauseS: 1 } as const;
    for (let nth = 1; nth <= 5; nth++)
      await withUser(database.db, userId, (tx) =>
        updateAlert(tx, userId, id, {
          ...change,
          channels: ['page'],
          note: `Note ${nth}`,
          expiresAt: null,
          state: 'active',
          start: undefined,
        }),
      );
    // Notices arrive in order: once this one is watched, the changes were taken.
    await set({ ...condition, symbol: 'ETHUSDT' }, { side: 'below', sinceMs: at(60) });
    await until('the changes', () => Promise.resolve(market.watched.has('ETHUSDT 1m')));
    before = market.requestCount;
    market.candle('BTCUSDT', flat(60, 105));
    await until('its receipt', async () => (await receipts(id)).length === 1);
    expect(await receipts(id)).toMatchObject([{ note: 'Note 5', exchange_at: new Date(at(61)) }]);
    expect(market.requestCount - before).toBeLessThanOrEqual(4);
  });
});

describe('other values', () => {
  it('DESK-078 distance to liquidation fires, and ends with its position', async () => {
    const market = new AlertMarket();
    const positionId = await openOne(database, newPosition(userId, { liquidationPrice: 91 }));
    const id = await set(
      { kind: 'liquidation', position_id: positionId, distance_pct: 5 },
      { side: null, sinceMs: 0, repeats: true },
    );
    await watch(market);
    const quote = () => market.tick('BTCUSDT', 95, Date.now(), 95.5);
    const [receipt] = await tickUntil(id, 1, quote);
    expect(receipt?.evidence.basis).toEqual({ kind: 'position', price: 95.5, liquidation_price: 91 });
    expect(receipt?.evidence.value).toBeCloseTo((4.5 / 95.5) * 100, 12);
    await database.asOwner('delete from positions where id = $1', [positionId]).catch(async () => {
      await database.asOwner(
        `update positions set closed_at = now(), close_price = 95, close_reason = 'MANUAL' where id = $1`,
        [positionId],
      );
    });
    await until('the end', async () => (await alertOf(id))?.state === 'stopped');
    expect(await alertOf(id)).toMatchObject({ state_reason: 'The position is closed.' });
  });

  it('DESK-079 a story about the symbol fires each time', async () => {
    const market = new AlertMarket();
    const id = await set(
      { kind: 'news', symbol: 'BTCUSDT', high_impact: true },
      { sinceMs: Date.now() - 60_000, repeats: true },
    );
    const errors: unknown[] = [];
    await watch(market, errors);
    const publish = (title: string, isHigh: boolean, symbol: string, secondsAgo: number) =>
      database.asOwner(
        `with s as (select gen_random_uuid() as id) insert into news (id, market, kind, title, link, pub_date, source, first_seen_at,
          story_id, symbols, keyword_version, sentiment, is_high_impact, is_simulated)
         select id, 'simulated', 'article', $1, 'https://a.example/' || id, now(), 'Wire', now() - make_interval(secs => $4), id,
           array[$3], 1, 0, $2, true from s`,
        [title, isHigh, symbol, secondsAgo],
      );
    await publish('Another coin', true, 'ETHUSDT', 9);
    await publish('A quiet story', false, 'BTCUSDT', 8);
    await publish('A loud story', true, 'BTCUSDT', 7);
    await publish('The next one', true, 'BTCUSDT', 2);
    await until('both receipts', async () => (await receipts(id)).length === 2);
    expect(errors).toEqual([]);
    const titles = (await receipts(id)).map(({ evidence: { basis } }) => (basis?.kind === 'story' ? basis.title : ''));
    expect(titles).toEqual(['A loud story', 'The next one']);
  });

  it('DESK-222 an alert on a quiet symbol holds back no story of another, however many there are', async () => {
    const market = new AlertMarket();
    const secondsAgo = (seconds: number) => ({ sinceMs: Date.now() - seconds * 1000, repeats: true });
    const quiet = await set({ kind: 'news', symbol: 'QUIETUSDT', high_impact: false }, secondsAgo(3600));
    const id = await set({ kind: 'news', symbol: 'LOUDUSDT', high_impact: false }, secondsAgo(120));
    const late = await set({ kind: 'news', symbol: 'LATEUSDT', high_impact: false }, secondsAgo(120));
    // Two queries of stories and a half, before the second alert.
    const publish = (titles: string, symbol: string, from: number, count: number) =>
      database.asOwner(
        `with s as (select gen_random_uuid() as id, n from generate_series(0, $4 - 1) n)
         insert into news (id, market, kind, title, link, pub_date, source, first_seen_at, story_id, symbols, keyword_version, sentiment,
           is_high_impact, is_simulated)
         select id, 'simulated', 'article', $1 || ' ' || n, 'https://a.example/' || id, now(), 'Wire',
           now() - make_interval(secs => $3 - n), id, array[$2], 1, 0, false, true from s`,
        [titles, symbol, from, count],
      );
    await publish('Old', 'LOUDUSDT', 3000, 500);
    const errors: unknown[] = [];
    await watch(market, errors);
    await publish('New', 'LOUDUSDT', 5, 1);
    const titles = async () =>
      (await receipts(id)).map(({ evidence: { basis } }) => (basis?.kind === 'story' ? basis.title : ''));
    await until('the story', async () => (await titles()).length === 1);
    expect(await titles()).toEqual(['New 0']);
    // Stored after a newer one was read.
    await publish('Late', 'LATEUSDT', 30, 1);
    await until('the late story', async () => (await receipts(late)).length === 1);
    await publish('At last', 'QUIETUSDT', 1, 1);
    await until('the quiet story', async () => (await receipts(quiet)).length === 1);
    expect(errors).toEqual([]);
  });
});

describe('a batch of firings', () => {
  it('DESK-206 stores the others when the database rejects one, whose alert stops and says so', async () => {
    // Stands for any row that the database does not take.
    await database.asOwner(`alter table alert_receipts add constraint planted check (note is distinct from 'planted')`);
    try {
      const errors: unknown[] = [];
      const market = new AlertMarket();
      const [bad, good, repeated] = [
        await set(price({ level: 101 }), { note: 'planted' }),
        await set(price({ level: 101 })),
        await set(price({ level: 102 }), { repeats: true, channels: ['page', 'email'] }),
      ];
      await watch(market, errors);
      let second = 0;
      const tick = (): void => {
        market.tick('BTCUSDT', 100, at(20, second));
        market.tick('BTCUSDT', 103, at(20, second + 0.5));
        second += 2;
      };
      await tickUntil(good, 1, tick);
      // The watch goes on: the repeated alert fires again, each time once.
      const fired = await tickUntil(repeated, 2, tick);
      expect(new Set(fired.map(({ firing }) => firing)).size).toBe(fired.length);
      expect(await receipts(good)).toHaveLength(1);
      expect(await receipts(bad)).toEqual([]);
      expect(await alertOf(bad)).toMatchObject({
        state: 'stopped',
        state_reason: 'Its last firing could not be stored. Change the alert to start it again.',
      });
      expect(errors).toHaveLength(1);
    } finally {
      await database.asOwner('alter table alert_receipts drop constraint planted');
    }
  });
});
