import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConfidenceBases, stateConfidence, unmeasured } from '../../../src/features/signals/confidenceBasis.ts';
import { breakEvenChance } from '@sextant/workers/src/signals/outcome.ts';
import { basisAt, type LedgerSignal, recalibrate } from '../../../src/features/trackRecord/recalibrate.ts';
import { STRATEGY_VERSION } from '../../../src/features/signals/strategyVersion.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

const hash = 'a'.repeat(64);
const hourMs = 3_600_000;

/** Seeded, so that a failing case can be run again. */
function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
}

/** Signals of different symbols, so that each is a bet; a third gains, whatever the score. */
function signals(count: number, seed = 9): LedgerSignal[] {
  const uniform = generator(seed);
  return Array.from({ length: count }, (_, i) => {
    const closeAtMs = i * hourMs;
    const isWon = uniform() < 1 / 3;
    return {
      id: `${seed}-${i}`,
      symbol: `S${seed}X${i}USDT`,
      direction: 'LONG',
      closeAtMs,
      issuedAtMs: closeAtMs,
      exitAtMs: closeAtMs + (isWon ? 40 : 10) * 60_000,
      recordedAtMs: closeAtMs + 2 * hourMs,
      horizonMinutes: 30,
      rawConfidence: uniform(),
      netFraction: isWon ? 0.039 : -0.021,
      stopFraction: 0.02,
    };
  });
}

describe('the map of a moment', () => {
  const all = signals(600);
  const asOfMs = 400 * hourMs;

  it('X75 does not depend on later outcomes and signals, nor on their order', () => {
    const known = all.filter(({ recordedAtMs }) => recordedAtMs <= asOfMs);
    const planted = signals(300, 4).map((signal) => ({
      ...signal,
      // Issued before the moment, near-identical to a known one and longer, resolved after it.
      symbol: all[3]!.symbol,
      closeAtMs: all[3]!.closeAtMs,
      issuedAtMs: all[3]!.issuedAtMs,
      horizonMinutes: 31,
      recordedAtMs: asOfMs + 1,
      netFraction: 1,
    }));
    const alone = basisAt('1h', known, asOfMs);
    expect(basisAt('1h', [...planted, ...all].reverse(), asOfMs)).toEqual(alone);
    expect(alone.outcome_count).toBe(399);
    expect(alone.base_rate).toBeCloseTo(1 / 3, 1);
  });

  it('waits until the whole time of a signal is over: an early stop is known, but an early target would not be yet', () => {
    const early = all.map((signal) => ({ ...signal, horizonMinutes: 600, recordedAtMs: signal.exitAtMs }));
    // Three times 600 minutes are 30 hours.
    expect(basisAt('1h', early, asOfMs).outcome_count).toBe(400 - 29);
  });

  it('counts near-identical signals once', () => {
    const twins = all.flatMap((signal) => [signal, { ...signal, id: `${signal.id} twin` }]);
    expect(basisAt('1h', twins, asOfMs).points).toEqual(basisAt('1h', all, asOfMs).points);
  });
});

describe('the confidence of a signal', () => {
  const signal = {
    direction: 'LONG',
    rawConfidence: 0.57,
    price: 100,
    stopLoss: 98,
    takeProfit: 104,
    sizeUsdt: 500,
  } as const;
  const basis = {
    ...unmeasured('1h'),
    kind: 'calibrated' as const,
    version: 7,
    points: [
      { raw: 0.2, chance: 0.3 },
      { raw: 0.8, chance: 0.4 },
    ],
    mean_win_stops: 1.9,
    mean_loss_stops: -1.1,
  };

  it('X75 is its score, without an expected result, while nothing is measured', () => {
    expect(stateConfidence(signal, unmeasured('1h'))).toMatchObject({
      confidence: 0.57,
      confidence_kind: 'score',
      raw_confidence: 0.57,
      calibration_version: null,
      expected_net_fraction: null,
      expected_net_usdt: null,
    });
  });

  it('X75 is the measured chance, with the expected result after fees, negative too', () => {
    const stated = stateConfidence(signal, basis);
    // 0.3 + (0.37 / 0.6) x 0.1; the stop is 2 % away.
    const chance = 0.3 + (0.37 / 0.6) * 0.1;
    expect(stated).toMatchObject({ confidence_kind: 'calibrated', raw_confidence: 0.57, calibration_version: 7 });
    expect(stated.confidence).toBeCloseTo(chance, 12);
    expect(stated.expected_net_fraction).toBeCloseTo(0.02 * (chance * 1.9 - (1 - chance) * 1.1), 12);
    expect(stated.expected_net_fraction).toBeLessThan(0.001);
    expect(stated.expected_net_usdt).toBeCloseTo(500 * stated.expected_net_fraction!, 12);
    const low = stateConfidence({ ...signal, rawConfidence: 0.1 }, basis);
    expect(low.expected_net_fraction).toBeCloseTo(0.02 * (0.3 * 1.9 - 0.7 * 1.1), 12);
    expect(low.expected_net_fraction).toBeLessThan(0);
  });

  it('is the score for a signal without a direction', () => {
    expect(stateConfidence({ ...signal, direction: 'NEUTRAL' }, basis)).toMatchObject({
      confidence: 0.57,
      confidence_kind: 'score',
      break_even: null,
    });
  });

  it('breaks even at the hand-worked chance, for both sides', () => {
    // LONG 100, target 104: 0.04 - 0.0005 x 2.04 = 0.03898. Stop 98 slips by 0.02 % to 97.9804: -0.020196 - 0.0005 x 1.979804.
    const loss = 0.020196 + 0.0005 * 1.979804;
    expect(breakEvenChance(signal)).toBeCloseTo(loss / (0.03898 + loss), 9);
    // SHORT 100, target 96: 0.04 - 0.0005 x 1.96. Stop 102 slips to 102.0204.
    const shortLoss = 0.020204 + 0.0005 * 2.020204;
    const short = { direction: 'SHORT', price: 100, stopLoss: 102, takeProfit: 96 } as const;
    expect(breakEvenChance(short)).toBeCloseTo(shortLoss / (0.03902 + shortLoss), 9);
    expect(breakEvenChance({ ...signal, takeProfit: 99 })).toBeNull();
  });
});

describe('the ledger', () => {
  let test: TestApp;
  let anna: TestUser;
  beforeAll(async () => {
    test = await createTestApp();
    anna = await test.signUp();
  });
  afterAll(() => test.close());

  const fence = { assertLeader: () => Promise.resolve() };
  const round = () => recalibrate({ db: test.deps.db, config: { market: 'simulated' }, ...fence });

  /** Resolved signals of a week ago on as many symbols: a score of 0.6, of which `won` gained. */
  const plant = (prefix: string, count: number, won: number, version = STRATEGY_VERSION, interval = '1h') =>
    test.database.asOwner(
      `with s as (
         insert into signals (created_at, exchange, market, symbol, interval, candle_close_at, direction, score, raw_confidence,
           confidence, price, stop_loss, take_profit, horizon_minutes, risk_label, params, engine_hash, data_hash, params_hash,
           strategy_version)
         select now() - interval '7 days', 'binance', 'simulated', $1 || n || 'USDT', $6, now() - interval '7 days', 'LONG', 0.4, 0.6, 0.6,
           100, 98, 104, 30, 'STANDARD', '{}', $4, $4, $4, $5 from generate_series(1, $2::int) n returning id, symbol)
       insert into signal_outcomes (signal_id, created_at, outcome, entry_price, exit_price, exit_at, gross_fraction, fees_fraction,
         net_fraction, is_ambiguous, basis)
       select id, now() - interval '6 days', 'TP', 100, 100, now() - interval '6 days 23 hours', 0, 0,
         case when row_number() over (order by symbol) <= $3 then 0.039 else -0.021 end, false, '1m' from s`,
      [prefix, count, won, hash, version, interval],
    );
  interface Board {
    confidence: {
      bases: { interval: string; kind: string; outcome_count: number; needed: number; base_rate: number | null }[];
      before: { count: number; brier: number | null; log_loss: number | null };
      after: { count: number; brier: number | null; log_loss: number | null };
    };
  }
  const performanceOf = async () =>
    (await test.app.inject({ url: '/api/performance', headers: anna.bearer })).json<Board>().confidence;
  const hourOf = ({ bases }: Board['confidence']) => bases.find(({ interval }) => interval === '1h');

  it('X75 is not measured until 100 outcomes of these rules are known, then by the newest map', async () => {
    expect(hourOf(await performanceOf())).toMatchObject({
      kind: 'score',
      outcome_count: 0,
      needed: 100,
      base_rate: null,
    });
    await plant('OLD', 300, 300, 'another version');
    expect(await round()).toBe(0);
    await plant('A', 99, 33);
    expect(await round()).toBe(1);
    expect(hourOf(await performanceOf())).toMatchObject({ kind: 'score', outcome_count: 99 });
    await plant('B', 201, 67);
    expect(await round()).toBe(1);
    // The same outcomes are not stored again.
    expect(await round()).toBe(0);
    const basis = hourOf(await performanceOf());
    expect(basis).toMatchObject({ kind: 'calibrated', outcome_count: 300 });
    expect(basis?.base_rate).toBeCloseTo(100.5 / 301, 12);
    const scoreboard = (await test.app.inject({ url: '/api/scoreboard' })).json<Board>();
    expect(hourOf(scoreboard.confidence)).toEqual(basis);
    const bases = createConfidenceBases(test.deps.db, 'simulated');
    expect(bases.of('1h').kind).toBe('score');
    await bases.refresh();
    expect(bases.of('1h')).toMatchObject({
      kind: 'calibrated',
      points: [{ raw: expect.closeTo(0.6, 9) as number, chance: expect.closeTo(1 / 3, 2) as number }],
    });
    expect(bases.of('4h')).toEqual(unmeasured('4h'));
    // A map of an earlier method is replaced at once, not with the next outcome.
    await plant('H', 100, 50, STRATEGY_VERSION, '4h');
    await test.database.asOwner(
      `insert into signal_calibrations (market, interval, strategy_version, method, as_of, window_from, window_to, outcome_count,
         base_rate, points)
       select 'simulated', '4h', $1, 'another method', now(), min(created_at), max(created_at), 100, 0.5, '[]'
       from signals where interval = '4h'`,
      [STRATEGY_VERSION],
    );
    expect(await round()).toBe(1);
    expect(await round()).toBe(0);
  });

  it('does not write for a node that no longer leads, and no map can be changed', async () => {
    await plant('C', 10, 10);
    const deposed = { assertLeader: () => Promise.reject(new Error('deposed')) };
    await expect(recalibrate({ db: test.deps.db, config: { market: 'simulated' }, ...deposed })).rejects.toThrow(
      'deposed',
    );
    await expect(test.database.asOwner('update signal_calibrations set outcome_count = 1')).rejects.toThrow(
      'append-only',
    );
    await expect(test.database.asOwner('delete from signal_calibrations')).rejects.toThrow('append-only');
  });

  it('shows reliability before and after on the signals that were stated with a measured chance', async () => {
    expect((await performanceOf()).after).toMatchObject({ count: 0, brier: null, log_loss: null });
    const [map] = await test.database.asOwner<{ version: number }>(
      'select max(version) as version from signal_calibrations',
    );
    await test.database.asOwner(
      `with s as (
         insert into signals (exchange, market, symbol, interval, candle_close_at, direction, score, raw_confidence, confidence,
           price, stop_loss, take_profit, horizon_minutes, risk_label, params, engine_hash, data_hash, params_hash,
           strategy_version, confidence_kind, calibration_version)
         select 'binance', 'simulated', 'D' || n || 'USDT', '1h', now(), 'LONG', 0.5, 0.75, 0.25, 100, 98, 104, 30, 'STANDARD',
           '{}', $1, $1, $1, $2, 'calibrated', $3 from generate_series(1, 4) n returning id, symbol)
       insert into signal_outcomes (signal_id, outcome, entry_price, exit_price, exit_at, gross_fraction, fees_fraction, net_fraction,
         is_ambiguous, basis)
       select id, 'SL', 100, 100, now(), 0, 0, case when symbol = 'D1USDT' then 0.04 else -0.02 end, false, '1m' from s`,
      [hash, STRATEGY_VERSION, map?.version],
    );
    const { before, after } = await performanceOf();
    // One of four gains. Score 0.75: (0.0625 + 3 x 0.5625) / 4. Chance 0.25: (0.5625 + 3 x 0.0625) / 4.
    expect(before).toMatchObject({ count: 4, brier: expect.closeTo(0.4375, 12) as number });
    expect(after).toMatchObject({ count: 4, brier: expect.closeTo(0.1875, 12) as number });
    expect(before.log_loss).toBeCloseTo(-(Math.log(0.75) + 3 * Math.log(0.25)) / 4, 12);
    expect(after.log_loss).toBeCloseTo(-(Math.log(0.25) + 3 * Math.log(0.75)) / 4, 12);
  });
});
