import { setTimeout as pause } from 'node:timers/promises';
import type { ConditionOf } from '@sextant/workers/src/alerts/conditions.ts';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { ownRulesOf } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CloseSource } from '../../../src/features/alerts/watch/closeSource.ts';
import { keyOf } from '../../../src/features/alerts/watch/source.ts';
import type { CandleRequest, Market } from '../../../src/features/market/port.ts';
import { type ReadPriority, readPriority } from '../../../src/platform/readPriority.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { silentNews, until } from '../positions/support/positions.ts';
import { MINUTE_MS, ScriptedMarket } from '../positions/support/scriptedMarket.ts';

/** Reads of candles for the rules of users: in whose name, how urgent, and who waits for them. */

/** Ahead of the clock, so that nothing counts as overdue. */
const start = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + 24 * 60 * MINUTE_MS;
const bar = (minute: number) => ({
  time: start + minute * MINUTE_MS,
  open: 100,
  high: 101,
  low: 99,
  close: 100,
  volume: 1,
});

type Read = Pick<CandleRequest, 'userId' | 'limit'> & { priority: ReadPriority };

class WatchedMarket extends ScriptedMarket {
  readonly reads: Read[] = [];
  /** Reads in the name of this user wait for `release`. */
  stuckUser: string | undefined;
  readonly #stuck = Promise.withResolvers<undefined>();
  readonly release = (): void => this.#stuck.resolve(undefined);

  /** The market as the source sees it. */
  readonly seen = (): ScriptedMarket =>
    Object.assign(Object.create(this) as ScriptedMarket, {
      candles: (async (request) => {
        const { userId, limit } = request;
        this.reads.push({ limit, priority: { ...readPriority() }, ...(userId !== undefined && { userId }) });
        if (userId !== undefined && userId === this.stuckUser) await this.#stuck.promise;
        return this.candles(request);
      }) satisfies Market['candles'],
    });
}

let database: TestDatabase;
let module: WebAssembly.Module;
let anna: string;
let bert: string;
beforeAll(async () => {
  database = await createTestDatabase();
  ({ module } = await loadModule());
  [anna, bert] = [await database.addUser(), await database.addUser()];
});
afterAll(() => database.drop());

let market: WatchedMarket;
let values: Map<string, number>;
let stops: Map<string, string>;
let source: CloseSource;
beforeEach(() => {
  market = new WatchedMarket();
  values = new Map();
  stops = new Map();
  source = new CloseSource({
    db: database.db,
    market: market.seen(),
    newEngine: () => instantiate(module),
    newsVotes: silentNews,
    sink: {
      value: (key, value) => void values.set(key, value),
      candle: () => undefined,
      stop: (key, reason) => {
        stops.set(key, reason);
        source.drop(key);
      },
      warn: (error) => expect.unreachable(String(error)),
    },
  });
  for (let minute = -30; minute < 0; minute++) market.candle('BTCUSDT', bar(minute), false);
  return async () => {
    market.release();
    await source.close();
  };
});

const place = { exchange: 'binance', symbol: 'BTCUSDT', interval: '1m' } as const;
const formula = (expression: string): ConditionOf<'formula'> => ({ ...place, kind: 'formula', expression });
const indicator: ConditionOf<'indicator'> = {
  ...place,
  kind: 'indicator',
  indicator: 'sma',
  params: { period: 3 },
  output: 'sma',
  when: 'above',
  level: 1,
};
const want = (condition: ConditionOf<'formula'> | ConditionOf<'indicator'> | ConditionOf<'signal'>, userId: string) => {
  const key = keyOf(condition, userId);
  source.want({ key, condition, userId, sinceMs: start + MINUTE_MS });
  return key;
};

async function saveRules(text: string): Promise<string> {
  const own = ownRulesOf(text, '1m');
  if (!own.ok) return expect.fail(own.error[0]?.message);
  return store(own.value);
}

async function store(value: object): Promise<string> {
  const [row] = await database.asOwner<{ id: string }>(
    `insert into strategies (user_id, name, value, version) values ($1, $2, $3, repeat('0', 64)) returning id`,
    [anna, `Rules ${Math.random()}`, JSON.stringify(value)],
  );
  return row?.id ?? '';
}

const signalOf = (strategyId: string): ConditionOf<'signal'> => ({
  ...place,
  kind: 'signal',
  strategy_id: strategyId,
  direction: 'any',
});

describe('DESK-220 candles for the rules of a user', () => {
  it('are read in the name of the owner, after the reads of others; those of indicators are shared', async () => {
    const strategy = await saveRules('long when close > 1');
    const keys = [want(formula('close > 1'), bert), want(signalOf(strategy), anna), want(indicator, bert)];
    market.candle('BTCUSDT', bar(0));
    await until('every value', () => Promise.resolve(keys.every((key) => values.has(key))));
    const owners = market.reads.map(({ userId = 'shared', priority }) => [userId, priority.isBackground]);
    expect(owners.toSorted()).toEqual(
      [
        [anna, true],
        [bert, true],
        ['shared', false],
      ].toSorted(),
    );
    // A wait in front of a series would stop its other readers.
    for (const { userId, priority } of market.reads)
      if (userId !== undefined) expect(priority.patienceMs).toBeLessThanOrEqual(2000);
  });

  it('hold back no alert of another user, not even one on the same formula, nor an indicator', async () => {
    market.stuckUser = anna;
    const mine = want(formula('close > 1'), anna);
    const others = [want(formula('close > 1'), bert), want(indicator, anna)];
    market.candle('BTCUSDT', bar(0));
    await until('the others', () => Promise.resolve(others.every((key) => values.has(key))));
    market.candle('BTCUSDT', bar(1));
    await pause(50);
    expect(values.has(mine)).toBe(false);
  });

  it('are not read beyond what an alert may read: the alert stops with the reason and the fix', async () => {
    // 599 candles before the first value and ten times 600 until it has settled.
    const strategy = await saveRules('long when ema(close, 600) < close');
    const key = want(signalOf(strategy), anna);
    market.candle('BTCUSDT', bar(0));
    await until('the stop', () => Promise.resolve(stops.has(key)));
    expect(stops.get(key)).toMatch(
      /^Rules [\d.]+ reads 6,599 1m candles at each close, an alert at most 5,000. Shorten its averages in the lab.$/,
    );
    expect(market.reads).toEqual([]);
  });

  it('of stored rules that no longer compile stop the alert with the reason, too', async () => {
    const own = ownRulesOf('long when close > 1', '1m');
    if (!own.ok) return expect.fail('it compiles');
    const nested = 'long when ema(ema(ema(close, 1000), 1000), 1000) < close';
    const key = want(signalOf(await store({ ...own.value, rules: nested })), anna);
    market.candle('BTCUSDT', bar(0));
    await until('the stop', () => Promise.resolve(stops.has(key)));
    expect(stops.get(key)).toContain('use shorter averages, or fewer inside each other, for at most 15000 candles');
  });
});
