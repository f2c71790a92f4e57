import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ExchangeId, Market } from '../../../src/features/market/port.ts';
import { resolveSignals } from '../../../src/features/trackRecord/resolveSignals.ts';
import { createDelistedSignalSettler } from '../../../src/features/trackRecord/settleDelistedSignals.ts';
import { StrategySettler } from '../../../src/features/trackRecord/settleStrategies.ts';
import {
  exchangeIds,
  startTestExchanges,
  type TestExchanges,
  trueCandles,
} from '../../adapters/exchanges/support/testExchanges.ts';
import { createTestDatabase, type TestDatabase } from '../../support/createTestDatabase.ts';
import { simulated } from '../positions/support/scriptedMarket.ts';

const hash = 'a'.repeat(64);
const MINUTE_MS = 60_000;
let database: TestDatabase;
let exchanges: TestExchanges;
let module: WebAssembly.Module;
beforeAll(async () => {
  [{ module }, database, exchanges] = await Promise.all([loadModule(), createTestDatabase(), startTestExchanges()]);
});
afterAll(async () => {
  await exchanges.close();
  await database.drop();
});
/** The track record is append-only: each test uses a separate symbol. */
const symbols = ['SOLUSDT', 'XRPUSDT', 'ADAUSDT', 'DOGEUSDT', 'LINKUSDT', 'LTCUSDT', 'AVAXUSDT', 'DOTUSDT'];
let symbol: string;
beforeEach(() => {
  symbol = symbols.shift() ?? 'none left';
});
afterEach(() => {
  exchanges.fake.faults.clear();
  exchanges.fake.changeListing({ symbol, state: 'trading' });
});

/** A current signal at price 100 whose stop and target no price of the test reaches: it stays open until its horizon ends. */
async function record(exchange: ExchangeId, direction = 'LONG', of = symbol): Promise<string> {
  const [low, high] = [1e-6, 1e9];
  const rows = await database.asOwner<{ id: string }>(
    `insert into signals (created_at, exchange, market, symbol, interval, candle_close_at, direction, score, raw_confidence, confidence,
       price, stop_loss, take_profit, horizon_minutes, risk_label, params, engine_hash, data_hash, params_hash)
     values ($1, $2, 'simulated', $3, '15m', $1, $4, 0.5, 0.6, 0.6, 100, $5, $6, 300, 'STANDARD', '{}', $7, $7, $8) returning id`,
    [
      new Date(exchanges.clock.now()),
      exchange,
      of,
      direction,
      direction === 'LONG' ? low : high,
      direction === 'LONG' ? high : low,
      hash,
      (direction === 'LONG' ? 'b' : 'c').repeat(64),
    ],
  );
  return rows[0]?.id ?? '';
}

/** A server that has just started: its memory holds nothing of an earlier one. */
function start(): () => Promise<void> {
  const market: Market = exchanges.market(exchanges.venues());
  const deps = { db: database.db, market, config: simulated, now: exchanges.clock.now };
  const silentNews = {
    readAt: () => Promise.resolve({ vote: undefined, strength: 0, storyCount: 0, stories: [] }),
  };
  const strategies = new StrategySettler({ ...deps, newsVotes: silentNews, newEngine: () => instantiate(module) });
  const settleDelisted = createDelistedSignalSettler(deps);
  return async () => {
    await resolveSignals(deps);
    await strategies.settleSome();
    await settleDelisted();
  };
}

/** Rounds of a minute, as the app runs them. */
async function rounds(round: () => Promise<void>, count: number): Promise<void> {
  for (let k = 0; k < count; k++) {
    exchanges.clock.advance(MINUTE_MS);
    await round();
  }
}

interface Outcome {
  outcome: string;
  entry_price: number;
  exit_price: number;
  exit_at: Date;
  net_fraction: number;
}
const outcomeOf = async (id: string): Promise<Outcome | undefined> =>
  (await database.asOwner<Outcome>('select * from signal_outcomes where signal_id = $1', [id]))[0];

/** Close of the last completed minute. */
function lastClose(exchange: ExchangeId): { price: number; atMs: number } {
  const atMs = Math.floor(exchanges.clock.now() / MINUTE_MS) * MINUTE_MS;
  const bars = trueCandles(exchanges.fake, exchange, symbol, '1m', atMs - 5 * MINUTE_MS, atMs - MINUTE_MS);
  const [, , , , close] = [...bars.values()].at(-1) ?? [];
  return { price: close ?? Number.NaN, atMs };
}

/** From 100: fees of 0.05 % of both fills. */
const netOf = (side: number, price: number): number => (side * (price - 100)) / 100 - 0.0005 * (1 + price / 100);

describe('a signal whose symbol vanished from the exchange', () => {
  it.each(exchangeIds)(
    'is settled within five minutes at the last price of %s, and others stay open',
    async (exchange) => {
      const [long, short] = [await record(exchange), await record(exchange, 'SHORT')];
      const other = await record(exchange, 'LONG', 'BTCUSDT');
      const round = start();
      await rounds(round, 2);
      expect(await outcomeOf(long)).toBeUndefined();
      const { price, atMs } = lastClose(exchange);
      exchanges.fake.changeListing({ symbol, venue: exchange, state: 'gone' });
      await rounds(round, 5);
      const settled = { outcome: 'DELISTED', entry_price: 100, exit_price: price, exit_at: new Date(atMs) };
      expect(await outcomeOf(long)).toMatchObject(settled);
      expect((await outcomeOf(long))?.net_fraction).toBeCloseTo(netOf(1, price), 9);
      expect((await outcomeOf(short))?.net_fraction).toBeCloseTo(netOf(-1, price), 9);
      expect(await outcomeOf(other)).toBeUndefined();
    },
  );

  it('while no server ran is settled at the price that was stored before', async () => {
    const id = await record('binance');
    await rounds(start(), 1);
    const { price } = lastClose('binance');
    exchanges.clock.advance(3_600_000);
    exchanges.fake.changeListing({ symbol, state: 'gone' });
    await rounds(start(), 5);
    expect(await outcomeOf(id)).toMatchObject({ outcome: 'DELISTED', exit_price: price });
  });

  it('before any price of it was seen is settled at its own price: it costs the fees', async () => {
    exchanges.fake.changeListing({ symbol, state: 'gone' });
    const id = await record('binance');
    await rounds(start(), 5);
    expect(await outcomeOf(id)).toMatchObject({ outcome: 'DELISTED', entry_price: 100, exit_price: 100 });
    expect((await outcomeOf(id))?.net_fraction).toBeCloseTo(-0.001, 12);
  });

  it('stays open while its contract is only halted', async () => {
    const id = await record('binance');
    exchanges.fake.changeListing({ symbol, state: 'halted' });
    await rounds(start(), 6);
    expect(await outcomeOf(id)).toBeUndefined();
  });

  it('is settled in the ledger of a saved strategy as well', async () => {
    const anna = await database.addUser();
    const value: Strategy = {
      ...liveRules(['15m']),
      stop: { mode: 'percent', fraction: 0.5 },
      target: { mode: 'percent', fraction: 0.5 },
    };
    const signal = await record('binance');
    await database.asOwner(
      `with s as (insert into strategies (user_id, name, version, value) values ($1, 'Mine', $2, $3) returning id, user_id),
         v as (insert into strategy_versions (strategy_id, version, user_id, value) select id, $2, user_id, $3 from s
           returning strategy_id, user_id)
       insert into strategy_signals (strategy_id, strategy_version, user_id, signal_id, created_at, confidence, confidence_kind)
       select strategy_id, $2, user_id, $4, $5, 0.6, 'score' from v`,
      [anna, hash, JSON.stringify(value), signal, new Date(exchanges.clock.now())],
    );
    exchanges.fake.changeListing({ symbol, state: 'gone' });
    await rounds(start(), 5);
    const outcomes = await database.asOwner<Outcome>('select * from strategy_outcomes where signal_id = $1', [signal]);
    expect(outcomes).toMatchObject([{ outcome: 'DELISTED', exit_price: 100, net_fraction: -0.001 }]);
  });
});
