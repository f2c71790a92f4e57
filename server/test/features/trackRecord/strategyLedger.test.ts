// Long because the map and the ledgers are tested on the same recorded outcomes.
import { liveRules, type Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { instantiate } from '@sextant/workers/src/engine/engine.ts';
import { loadModule } from '@sextant/workers/src/node/loadModule.ts';
import { strategyVersion } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { strategyOfRules } from '@sextant/workers/src/rules/strategyOfRules.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lastClosedOpen } from '../../../src/features/market/intervals.ts';
import type { CandleRequest, Market } from '../../../src/features/market/port.ts';
import { basisAt, type LedgerSignal } from '../../../src/features/trackRecord/recalibrate.ts';
import { recalibrateStrategies } from '../../../src/features/trackRecord/recalibrateStrategies.ts';
import { StrategySettler } from '../../../src/features/trackRecord/settleStrategies.ts';
import { readStrategyBases } from '../../../src/features/trackRecord/strategyRecord.ts';
import { withSystem, withUser } from '../../../src/platform/db/scope.ts';
import { readPriority } from '../../../src/platform/readPriority.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

const hash = 'a'.repeat(64);
const hourMs = 3_600_000;
const nowMs = Date.UTC(2026, 0, 5, 12);
const closeAtMs = nowMs - hourMs;

/** Seeded, so that a failing case can be run again. */
function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
}

/** Bets of one version that win with the chance that `truth` gives for their score. */
function ledgerOf(count: number, truth: (raw: number) => number, seed = 5): LedgerSignal[] {
  const uniform = generator(seed);
  return Array.from({ length: count }, (_, i) => {
    const rawConfidence = uniform();
    const issuedAtMs = i * hourMs;
    const isWon = uniform() < truth(rawConfidence);
    return {
      id: `${i}`,
      symbol: `S${i}USDT`,
      direction: 'LONG',
      closeAtMs: issuedAtMs,
      issuedAtMs,
      exitAtMs: issuedAtMs + 60_000,
      recordedAtMs: issuedAtMs + 120_000,
      deadlineMs: issuedAtMs + 5 * hourMs,
      horizonMinutes: 30,
      rawConfidence,
      netFraction: isWon ? 0.039 : -0.021,
      stopFraction: 0.02,
    };
  });
}

const version = 'b'.repeat(64);
const chanceAt = ({ points }: ReturnType<typeof basisAt>, raw: number): number => {
  const after = points.findIndex((point) => point.raw >= raw);
  const [left, right] = [points[after - 1], points[after]];
  if (left === undefined || right === undefined) return points.at(after < 0 ? -1 : 0)?.chance ?? Number.NaN;
  return left.chance + ((raw - left.raw) / (right.raw - left.raw)) * (right.chance - left.chance);
};

describe('the map of a strategy version', () => {
  it.each<[string, (raw: number) => number]>([
    ['a calibrated score', (raw) => raw],
    ['an over-confident score', (raw) => 0.2 + 0.3 * raw],
  ])('X75 recovers the chances of %s from the outcomes of the version', (_what, truth) => {
    const basis = basisAt('1h', ledgerOf(20_000, truth), 30_000 * hourMs, version);
    expect(basis).toMatchObject({ strategy_version: version, outcome_count: 20_000 });
    // Groups of 1,000: a standard error of at most 0.016, part of it the slope within a group.
    for (const raw of [0.1, 0.3, 0.5, 0.7, 0.9]) expect(Math.abs(chanceAt(basis, raw) - truth(raw))).toBeLessThan(0.05);
  });

  it('X75 is shrunk to its base rate and states no chance while outcomes are few', () => {
    const few = basisAt(
      '1h',
      ledgerOf(12, () => 0.5),
      100 * hourMs,
      version,
    );
    expect(few).toMatchObject({ outcome_count: 12, points: [] });
    const some = basisAt(
      '1h',
      ledgerOf(150, (raw) => raw),
      1000 * hourMs,
      version,
    );
    // Here the score is the chance: what is stated lies between it and the base rate.
    const base = some.base_rate ?? Number.NaN;
    for (const { raw, chance } of [some.points[0]!, some.points.at(-1)!]) {
      expect(Math.abs(chance - base)).toBeLessThan(0.9 * Math.abs(raw - base));
      expect(Math.sign(chance - base)).toBe(Math.sign(raw - base));
    }
  });

  it('X75 does not change when later outcomes are planted, and waits for the whole time of a signal', () => {
    const all = ledgerOf(600, (raw) => raw);
    const asOfMs = 400 * hourMs;
    const known = all.filter(({ deadlineMs = 0 }) => deadlineMs <= asOfMs);
    const planted = all.map((signal) => ({
      ...signal,
      id: `${signal.id} planted`,
      recordedAtMs: asOfMs + 1,
      netFraction: 9,
    }));
    expect(basisAt('1h', [...planted, ...all].reverse(), asOfMs, version)).toEqual(
      basisAt('1h', known, asOfMs, version),
    );
    // Five hours each: the last four have ended early, and do not count yet.
    expect(known.length).toBe(396);
  });
});

/** A market whose price moves by the given amount a minute, through 100 at the close of the signals' candle. */
const moving = (fractionPerMinute: number) =>
  ({
    candles({ interval, limit, endTimeMs = nowMs }: CandleRequest) {
      const step = intervalMs[interval];
      const toMs = lastClosedOpen(interval, Math.min(nowMs, endTimeMs));
      const time = Float64Array.from({ length: limit }, (_, i) => toMs - (limit - 1 - i) * step);
      const at = (ms: number) => Math.max(1, 100 * (1 + (fractionPerMinute * (ms - closeAtMs)) / 60_000));
      const [open, close] = [time.map(at), time.map((ms) => at(ms + step))];
      const [high, low] = fractionPerMinute > 0 ? [close, open] : [open, close];
      const value = {
        candles: { time, open, high, low, close, volume: time.map(() => 1) },
        gaps: [],
        rejectedCount: 0,
      };
      return Promise.resolve({ ok: true, value: { exchange: 'binance', fetchedAtMs: nowMs, value } });
    },
  }) as unknown as Market;
const rising = moving(0.001);
/** No strategy of these tests reads fundings. */
const unfunded: Market['fundingHistory'] = () => Promise.reject(new Error('not read'));

/** Quiet around 100; three minutes after the signal it jumps to 109, up to 110 at first, and falls to 105 for a moment in minute 20. */
const spiked = {
  candles({ interval, limit, endTimeMs = nowMs }: CandleRequest) {
    const step = intervalMs[interval];
    const minute = intervalMs['1m'];
    const toMs = lastClosedOpen(interval, Math.min(nowMs, endTimeMs));
    const time = Float64Array.from({ length: limit }, (_, i) => toMs - (limit - 1 - i) * step);
    const minutesOf = (ms: number): number[] =>
      Array.from({ length: step / minute }, (_, i) => (ms - closeAtMs) / minute + i);
    const price = (m: number): number => (m < 3 ? 100 : 109);
    const high = time.map((ms) => Math.max(...minutesOf(ms).map((m) => (m === 3 ? 110 : price(m) + 0.5))));
    const low = time.map((ms) => Math.min(...minutesOf(ms).map((m) => (m === 20 ? 105 : price(m) - 0.5))));
    const open = time.map((ms) => price(minutesOf(ms)[0] ?? 0));
    const close = time.map((ms) => price(minutesOf(ms).at(-1) ?? 0));
    const value = { candles: { time, open, high, low, close, volume: time.map(() => 1) }, gaps: [], rejectedCount: 0 };
    return Promise.resolve({ ok: true, value: { exchange: 'binance', fetchedAtMs: nowMs, value } });
  },
} as unknown as Market;
const silentNews = {
  readAt: () => Promise.resolve({ vote: undefined, strength: 0, storyCount: 0, stories: [] }),
};

const percent: Strategy = {
  ...liveRules(['15m']),
  stop: { mode: 'percent', fraction: 0.02 },
  target: { mode: 'percent', fraction: 0.04 },
};
const trailed: Strategy = {
  ...percent,
  target: { mode: 'percent', fraction: 0.4 },
  holdingBarsMax: 2,
};

describe('the ledgers of saved strategies', () => {
  let test: TestApp;
  let module: WebAssembly.Module;
  let anna: TestUser;
  let bert: TestUser;
  beforeAll(async () => {
    ({ module } = await loadModule());
    test = await createTestApp();
    [anna, bert] = [await test.signUp(), await test.signUp()];
  });
  afterAll(() => test.close());

  async function save(user: TestUser, name: string, value: Strategy): Promise<{ id: string; version: string }> {
    const own = strategyVersion(value);
    const [row] = await test.database.asOwner<{ id: string }>(
      `with s as (insert into strategies (user_id, name, version, value) values ($1, $2, $3, $4) returning id, user_id),
         v as (insert into strategy_versions (strategy_id, version, user_id, value) select id, $3, user_id, $4 from s)
       select id from s`,
      [user.id, name, own, JSON.stringify(value)],
    );
    return { id: row?.id ?? '', version: own };
  }

  /** A signal of the public record at price 100, which the strategy of each of `owners` made. */
  async function signal(symbol: string, owners: readonly { id: string; version: string }[], direction = 'LONG') {
    const side = direction === 'LONG' ? 1 : -1;
    const [made] = await test.database.asOwner<{ id: string }>(
      `insert into signals (created_at, exchange, market, symbol, interval, candle_close_at, direction, score, raw_confidence, confidence,
         price, stop_loss, take_profit, horizon_minutes, risk_label, params, engine_hash, data_hash, params_hash, strategy_version)
       values ($2, 'binance', 'simulated', $1, '15m', $2, $3, 0.5, 0.6, 0.6, 100, $4, $5, 30, 'STANDARD', '{}', $6, $6, $6, $7) returning id`,
      [symbol, new Date(closeAtMs), direction, 100 - side * 2, 100 + side * 4, hash, owners[0]?.version ?? 'x'],
    );
    for (const { id, version: own } of owners) {
      await test.database.asOwner(
        `insert into strategy_signals (strategy_id, strategy_version, user_id, signal_id, created_at, confidence, confidence_kind)
         select $1, $2, user_id, $3, $4, 0.6, 'score' from strategies where id = $1`,
        [id, own, made?.id, new Date(closeAtMs)],
      );
    }
  }
  const settlerOf = (db = test.deps.db, market: Pick<Market, 'candles' | 'fundingHistory'> = rising) =>
    new StrategySettler({
      db,
      market,
      newsVotes: silentNews,
      config: { market: 'simulated' },
      newEngine: () => instantiate(module),
      now: () => nowMs,
    });
  const outcomes = () =>
    test.database.asOwner<{ symbol: string; name: string; outcome: string; exit_price: number; basis: string }>(
      `select s.symbol, t.name, o.outcome, o.exit_price, o.basis from strategy_outcomes o join signals s on s.id = o.signal_id
       join strategies t on t.id = o.strategy_id order by 1, 2`,
    );

  it('X75 settles a signal by the exits of each strategy that made it, once, also after a node that died', async () => {
    const mine = await save(anna, 'Mine', percent);
    const held = await save(anna, 'Held', trailed);
    const his = await save(bert, 'His', percent);
    await signal('AAAUSDT', [mine, held, his]);
    await signal('BBBUSDT', [mine], 'SHORT');
    await signal('CCCUSDT', [held]);
    // A node that reaches the exchange twice, and dies at the third signal.
    let requestCount = 0;
    const dying = {
      candles: ((request) => {
        requestCount += 1;
        if (requestCount > 2) throw new Error('killed');
        return rising.candles(request);
      }) as Market['candles'],
      fundingHistory: unfunded,
    };
    await expect(settlerOf(test.deps.db, dying).settleSome()).rejects.toThrow('killed');
    expect((await outcomes()).length).toBe(2);
    // Two other nodes take over at the same moment.
    await Promise.all([settlerOf().settleSome(), settlerOf().settleSome()]);
    const [aHeld, aHis, aMine, bMine, cHeld] = await outcomes();
    // 0.1 % a minute: 104 within 40 minutes, the short's 102 after 20; thirty minutes of holding end at 103.
    expect(aMine).toMatchObject({ symbol: 'AAAUSDT', name: 'Mine', outcome: 'TP', exit_price: 104, basis: '1m' });
    expect(aHis).toMatchObject({ name: 'His', outcome: 'TP', exit_price: 104 });
    expect(aHeld).toMatchObject({ name: 'Held', outcome: 'TIME' });
    expect(aHeld?.exit_price).toBeCloseTo(103, 9);
    expect(bMine).toMatchObject({ symbol: 'BBBUSDT', outcome: 'SL' });
    expect(bMine?.exit_price).toBeCloseTo(102 * 1.0002, 9);
    expect(cHeld).toMatchObject({ symbol: 'CCCUSDT', outcome: 'TIME' });
    expect(await settlerOf().settleSome()).toBe(0);
  });

  it('trails a stop by the true range of the base candles, and waits where it is missing', async () => {
    const trailed = await save(anna, 'Ranged', {
      ...percent,
      target: { mode: 'percent', fraction: 0.5 },
      atrPeriod: 14,
      trailing: { ...percent.trailing, mode: 'atr', atrMultiple: 2, stepFraction: 0, activationFraction: 0 },
    });
    await signal('RRRUSDT', [trailed]);
    const blind = {
      candles: ((request) =>
        request.interval === '15m' ? Promise.resolve({ ok: false }) : spiked.candles(request)) as Market['candles'],
      fundingHistory: unfunded,
    };
    expect(await settlerOf(test.deps.db, blind).settleSome()).toBe(0);
    expect(await settlerOf(test.deps.db, spiked).settleSome()).toBe(1);
    const match = (await outcomes()).find(({ symbol }) => symbol === 'RRRUSDT');
    // Ranges of 1, then one of 10.5: (13 x 1 + 10.5) / 14. The stop stands two of them below 110 when minute 20 falls to 105.
    expect(match?.outcome).toBe('SL');
    expect(match?.exit_price).toBeCloseTo((110 - 2 * (23.5 / 14)) * 0.9998, 6);
  });

  it('leaves on the opposite signal of the strategy at the open after it', async () => {
    const turning = await save(anna, 'Turning', { ...percent, weights: { ema_cross: 1 }, onOpposite: 'exit' });
    await signal('TTTUSDT', [turning]);
    const falling = moving(-0.000_01);
    const priorities = new Set<boolean>();
    const watched = {
      candles: ((request) => {
        priorities.add(readPriority().isBackground);
        return falling.candles(request);
      }) as Market['candles'],
      fundingHistory: unfunded,
    };
    // Falling for days: the short average lies below the long one at every close, the first after the entry is 15 minutes on.
    expect(await settlerOf(test.deps.db, watched).settleSome()).toBe(1);
    // The candles of its signals, too: no user waits for them.
    expect([...priorities]).toEqual([true]);
    const match = (await outcomes()).find(({ symbol }) => symbol === 'TTTUSDT');
    expect(match?.outcome).toBe('SIGNAL');
    expect(match?.exit_price).toBeCloseTo(100 * (1 - 15 * 0.000_01), 9);
  });

  it('RULE-014 leaves by the exit of own rules at the open after the candle that says so', async () => {
    const own = strategyOfRules('long when close > 0\nexit long when close < open\nstop 2 %; target 4 %', '15m');
    if (!own.ok) throw new Error(own.error[0]?.message);
    expect(own.value.onOpposite).toBe('hold');
    const ruled = await save(anna, 'Ruled', own.value);
    await signal('OWNUSDT', [ruled]);
    // Falling for days: the first candle that closes after the entry closes below its open, 15 minutes on.
    expect(await settlerOf(test.deps.db, moving(-0.000_01)).settleSome()).toBe(1);
    const match = (await outcomes()).find(({ symbol }) => symbol === 'OWNUSDT');
    expect(match?.outcome).toBe('SIGNAL');
    expect(match?.exit_price).toBeCloseTo(100 * (1 - 15 * 0.000_01), 9);
  });

  const fence = { assertLeader: () => Promise.resolve() };
  const round = () => recalibrateStrategies({ db: test.deps.db, config: { market: 'simulated' }, ...fence });

  /** Settled bets of a week ago, of which `won` won. */
  const plant = (prefix: string, owner: { id: string; version: string }, count: number, won: number) =>
    test.database.asOwner(
      `with s as (
         insert into signals (created_at, exchange, market, symbol, interval, candle_close_at, direction, score, raw_confidence,
           confidence, price, stop_loss, take_profit, horizon_minutes, risk_label, params, engine_hash, data_hash, params_hash, strategy_version)
         select now() - interval '7 days', 'binance', 'simulated', $1 || n || 'USDT', '15m', now() - interval '7 days', 'LONG', 0.4, 0.6, 0.6,
           100, 98, 104, 30, 'STANDARD', '{}', $4, $4, $4, $6 from generate_series(1, $2::int) n returning id, symbol),
       g as (
         insert into strategy_signals (strategy_id, strategy_version, user_id, signal_id, created_at, confidence, confidence_kind)
         select t.id, $6, t.user_id, s.id, now() - interval '7 days', 0.6, 'score' from s, strategies t where t.id = $5
         returning strategy_id, strategy_version, user_id, signal_id)
       insert into strategy_outcomes (strategy_id, strategy_version, signal_id, user_id, created_at, outcome, deadline_at, entry_price,
         exit_price, exit_at, gross_fraction, fees_fraction, net_fraction, is_ambiguous, basis)
       select g.strategy_id, g.strategy_version, g.signal_id, g.user_id, now() - interval '6 days', 'TP', now() - interval '6 days', 100, 100,
         now() - interval '6 days 23 hours', 0, 0, case when row_number() over (order by s.symbol) <= $3 then 0.039 else -0.021 end, false, '1m'
       from g join s on s.id = g.signal_id`,
      [prefix, count, won, hash, owner.id, owner.version],
    );
  interface Own {
    name: string;
    version: string;
    record: { signals: number; resolved: number; turned: number; hit_rate: number | null };
    confidence: {
      bases: {
        interval: string;
        kind: string;
        outcome_count: number;
        base_rate: number | null;
        strategy_version: string;
      }[];
    };
  }
  const strategiesOf = async (user: TestUser) =>
    (await test.app.inject({ url: '/api/performance', headers: user.bearer })).json<{ strategies: Own[] }>().strategies;
  const basesOf = (user: TestUser, { id, version: own }: { id: string; version: string }) =>
    withUser(test.deps.db, user.id, (tx) =>
      readStrategyBases(tx, { userId: user.id, strategyId: id, version: own }, 'simulated'),
    );

  it('X75 separates owners: the same rules of another user do not count', async () => {
    const carl = await test.signUp();
    const dora = await test.signUp();
    const value: Strategy = { ...percent, entryThreshold: 0.09 };
    const [his, hers] = [await save(carl, 'Same', value), await save(dora, 'Same', value)];
    expect(his.version).toBe(hers.version);
    await plant('CARL', his, 120, 60);
    await plant('DORA', hers, 12, 12);
    expect(await round()).toBeGreaterThan(0);
    const [ofHis] = await basesOf(carl, his);
    expect(ofHis).toMatchObject({ kind: 'calibrated', outcome_count: 120, base_rate: 60.5 / 121 });
    const [ofHers] = await basesOf(dora, hers);
    // Twelve outcomes so far: the confidence is still the score.
    expect(ofHers).toMatchObject({ kind: 'score', outcome_count: 12, points: [] });
    const [shown] = await strategiesOf(dora);
    expect(shown).toMatchObject({
      name: 'Same',
      version: hers.version,
      record: { signals: 12, resolved: 12, hit_rate: 1 },
    });
    expect(shown?.confidence.bases).toMatchObject([{ interval: '15m', kind: 'score', outcome_count: 12 }]);
    // Rows of another user are not visible, even with their id.
    const seen = await withUser(test.deps.db, dora.id, (tx) =>
      readStrategyBases(tx, { userId: carl.id, strategyId: his.id, version: his.version }, 'simulated'),
    );
    expect(seen).toEqual([]);
    const foreign = await withUser(test.deps.db, dora.id, (tx) =>
      tx.selectFrom('strategy_outcomes').select('user_id').distinct().execute(),
    );
    expect(foreign).toEqual([{ user_id: dora.id }]);
    // No map of either is among those of Live rules.
    const house = await test.database.asOwner('select version from signal_calibrations');
    expect(house).toEqual([]);
    // Nothing is written twice, and a node that no longer leads writes nothing.
    expect(await round()).toBe(0);
  });

  it('X75 starts again with another version, and knows the old one when it comes back', async () => {
    const erna = await test.signUp();
    const first = await save(erna, 'Bumped', { ...percent, entryThreshold: 0.1 });
    await plant('OLD', first, 110, 40);
    expect(await round()).toBe(1);
    const next: Strategy = { ...percent, entryThreshold: 0.11 };
    await withUser(test.deps.db, erna.id, (tx) =>
      tx
        .updateTable('strategies')
        .set({ version: strategyVersion(next), value: JSON.stringify(next) })
        .where('id', '=', first.id)
        .execute(),
    );
    const second = { id: first.id, version: strategyVersion(next) };
    expect(await basesOf(erna, second)).toEqual([]);
    // The new version has no signals yet: nothing is shown, not even of the old version.
    expect(await strategiesOf(erna)).toEqual([]);
    await test.database.asOwner(
      `insert into strategy_versions (strategy_id, version, user_id, value) values ($1, $2, $3, $4)`,
      [second.id, second.version, erna.id, JSON.stringify(next)],
    );
    await plant('NEW', second, 3, 3);
    expect(await round()).toBe(1);
    expect((await basesOf(erna, second))[0]).toMatchObject({ kind: 'score', outcome_count: 3 });
    expect((await basesOf(erna, first))[0]).toMatchObject({ kind: 'calibrated', outcome_count: 110 });
  });

  it('does not write for a node that no longer leads, and is deleted with its strategy', async () => {
    const fred = await test.signUp();
    const own = await save(fred, 'Gone', { ...percent, entryThreshold: 0.12 });
    await plant('GONE', own, 5, 5);
    const deposed = { assertLeader: () => Promise.reject(new Error('deposed')) };
    const response = recalibrateStrategies({ db: test.deps.db, config: { market: 'simulated' }, ...deposed });
    await expect(response).rejects.toThrow('deposed');
    await withUser(test.deps.db, fred.id, (tx) => tx.deleteFrom('strategies').where('id', '=', own.id).execute());
    const left = await withSystem(test.deps.db, (tx) =>
      tx.selectFrom('strategy_outcomes').select('signal_id').where('user_id', '=', fred.id).execute(),
    );
    expect(left).toEqual([]);
  });
});
