import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { recordOf } from '../../../src/features/trackRecord/performance.ts';
import { resolveSignals } from '../../../src/features/trackRecord/resolveSignals.ts';
import { lastClosedOpen } from '../../../src/features/market/intervals.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { CandleRequest, Market } from '../../../src/features/market/port.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

const hash = 'a'.repeat(64);
const nowMs = Date.UTC(2026, 0, 5, 12);
const closeAtMs = nowMs - 3_600_000;

/** A market in which every price rises by 0.1 % a minute from 100 at the close of the signals' candle. */
const rising = {
  candles({ interval, limit, endTimeMs = nowMs }: CandleRequest) {
    const step = intervalMs[interval];
    const toMs = lastClosedOpen(interval, Math.min(nowMs, endTimeMs));
    const time = Float64Array.from({ length: limit }, (_, i) => toMs - (limit - 1 - i) * step);
    const at = (ms: number) => 100 * (1 + (0.001 * (ms - closeAtMs)) / 60_000);
    const open = time.map((ms) => at(ms));
    const close = time.map((ms) => at(ms + step));
    const candles = { time, open, high: close, low: open, close, volume: time.map(() => 1) };
    return Promise.resolve({
      ok: true,
      value: { exchange: 'binance', fetchedAtMs: nowMs, value: { candles, gaps: [], rejectedCount: 0 } },
    });
  },
} as unknown as Market;

let test: TestApp;
let anna: TestUser;
beforeAll(async () => {
  test = await createTestApp();
  anna = await test.signUp();
});
afterAll(() => test.close());

/** A signal at price 100 with levels 2 % and 4 % away. */
async function record(
  direction: 'LONG' | 'SHORT',
  symbol: string,
  confidence: number,
  market = 'simulated',
  candleCloseAtMs = closeAtMs,
): Promise<string> {
  const side = direction === 'LONG' ? 1 : -1;
  const rows = await test.database.asOwner<{ id: string }>(
    `insert into signals (created_at, exchange, market, symbol, interval, candle_close_at, direction, score, raw_confidence, confidence,
       price, stop_loss, take_profit, horizon_minutes, risk_label, params, engine_hash, data_hash, params_hash)
     values ($3, 'binance', $1, $2, '15m', $9, $4, 0.5, $5, $5, 100, $6, $7, 30, 'STANDARD', '{}', $8, $8, $8) returning id`,
    [
      market,
      symbol,
      new Date(closeAtMs),
      direction,
      confidence,
      100 - side * 2,
      100 + side * 4,
      hash,
      new Date(candleCloseAtMs),
    ],
  );
  return rows[0]?.id ?? '';
}
/** Records that a scan of the user found it. Returns the id of the scan. */
async function resultOf(user: TestUser, signalId: string, symbol: string): Promise<string> {
  const rows = await test.database.asOwner<{ scan_id: string }>(
    `with s as (insert into scans (user_id, params, credit_ref, status) values ($1, '{}', gen_random_uuid(), 'failed') returning id)
     insert into scan_candidates (scan_id, user_id, symbol, interval, outcome, signal_id)
     select id, $1, $3, '15m', 'ELIGIBLE', $2 from s returning scan_id`,
    [user.id, signalId, symbol],
  );
  return rows[0]?.scan_id ?? '';
}
const read = async <T>(url: string, user = anna) => (await test.app.inject({ url, headers: user.bearer })).json<T>();
interface Performance {
  engine: Record<string, number | null> & { calibration: { count: number; bins: { count: number }[] } };
  mine: { signals: number };
  ai_check: object | null;
  ai_value: object[];
  tuning: object | null;
}

describe('the track record', () => {
  it('starts without figures instead of with zeros', async () => {
    const { engine, ai_check } = await read<Performance>('/api/performance');
    expect(engine).toMatchObject({ signals: 0, resolved: 0, hit_rate: null, mean_net_fraction: null });
    expect(engine.calibration).toMatchObject({ count: 0, brier: null, ece: null });
    expect(ai_check).toBeNull();
  });

  it('shows the outcome of every signal, losers included, and separates markets', async () => {
    await record('LONG', 'AAAUSDT', 0.8);
    await record('SHORT', 'BBBUSDT', 0.6);
    await record('LONG', 'CCCUSDT', 0.9, 'live');
    const deps = { db: test.deps.db, market: rising, config: { market: 'simulated' as const }, now: () => nowMs };
    const matches = await Promise.all([resolveSignals(deps), resolveSignals(deps)]);
    expect(Math.max(...matches)).toBe(2);
    const { engine, mine } = await read<Performance>('/api/performance');
    // The long reaches 104, the short is stopped at 102 and slips by 0.02 % to 102.0204; fees take 0.05 % of each fill.
    expect(engine).toMatchObject({ signals: 2, open: 0, resolved: 2, tp: 1, sl: 1, won: 1, hit_rate: 0.5 });
    const net = 0.04 - 0.0005 * 2.04 + (-0.020204 - 0.0005 * 2.020204);
    expect(engine['total_net_fraction']).toBeCloseTo(net, 6);
    expect(engine.calibration.bins[8]).toMatchObject({ count: 1, won: 1 });
    expect(engine.calibration.bins[6]).toMatchObject({ count: 1, won: 0 });
    expect(mine.signals).toBe(0);
    const { signals } = await read<{
      signals: { symbol: string; outcome: { outcome: string; basis: string } | null }[];
    }>('/api/historic-signals');
    const outcomes = new Map(signals.map(({ symbol, outcome }) => [symbol, outcome]));
    expect(outcomes.get('AAAUSDT')).toMatchObject({ outcome: 'TP', basis: '1m' });
    expect(outcomes.get('BBBUSDT')).toMatchObject({ outcome: 'SL' });
    expect(outcomes.get('CCCUSDT')).toBeNull();
  });

  it('is not held up by older signals that cannot be judged', async () => {
    await test.database.asOwner(
      `insert into signals (created_at, exchange, market, symbol, interval, candle_close_at, direction, score, raw_confidence,
         confidence, price, stop_loss, take_profit, horizon_minutes, risk_label, params, engine_hash, data_hash, params_hash)
       select $1::timestamptz - interval '1 day', 'binance', 'replay', 'GONE' || n, '15m', $1::timestamptz, 'LONG', 0.5, 0.5, 0.5, 100, 98, 104, 30, 'STANDARD',
         '{}', $2, $2, $2 from generate_series(1, 500) n`,
      [new Date(closeAtMs), hash],
    );
    await record('LONG', 'AAAUSDT', 0.8, 'replay');
    const market = {
      candles: (request: CandleRequest) =>
        request.symbol.startsWith('GONE') ? Promise.resolve({ ok: false }) : rising.candles(request),
    } as unknown as Market;
    const deps = { db: test.deps.db, market, config: { market: 'replay' as const }, now: () => nowMs };
    let resolvedCount = 0;
    for (let round = 0; round < 5; round++) resolvedCount += await resolveSignals(deps);
    expect(resolvedCount).toBe(1);
  });

  it('names the newest candle first, then by symbol, where signals were found at one moment', async () => {
    const carl = await test.signUp();
    for (const [symbol, minutes] of [
      ['SSSUSDT', 0],
      ['QQQUSDT', 0],
      ['TTTUSDT', 15],
      ['PPPUSDT', 15],
    ] as const)
      await resultOf(carl, await record('LONG', symbol, 0.7, 'live', closeAtMs + minutes * 60_000), symbol);
    const { signals } = await read<{ signals: { symbol: string }[] }>('/api/historic-signals?mine=true', carl);
    expect(signals.map(({ symbol }) => symbol)).toEqual(['PPPUSDT', 'TTTUSDT', 'QQQUSDT', 'SSSUSDT']);
  });

  it('says which signals a scan of the user found, and is read by every signed-in user', async () => {
    const id = await record('LONG', 'DDDUSDT', 0.7);
    await resultOf(anna, id, 'DDDUSDT');
    const mine = async (user: TestUser) =>
      (await read<{ signals: { symbol: string }[] }>('/api/historic-signals?mine=true', user)).signals.map(
        ({ symbol }) => symbol,
      );
    expect(await mine(anna)).toEqual(['DDDUSDT']);
    const bert = await test.signUp();
    expect(await mine(bert)).toEqual([]);
    const all = await read<{ signals: { symbol: string; mine: boolean }[] }>('/api/historic-signals', bert);
    expect(all.signals).toContainEqual(expect.objectContaining({ symbol: 'DDDUSDT', mine: false }));
    for (const url of ['/api/historic-signals', '/api/performance']) {
      expect((await test.app.inject({ url })).statusCode, url).toBe(401);
    }
  });
});

describe('the figures', () => {
  /** A slow, plain reference: everything is read and computed again. */
  async function slowly(userId: string) {
    interface Row {
      id: string;
      symbol: string;
      direction: string;
      candle_close_at: Date;
      horizon_minutes: number;
      confidence: number;
      raw_confidence: number;
      confidence_kind: string;
      outcome: 'TP' | 'SL' | 'TIME' | null;
      net_fraction: number;
      is_ambiguous: boolean;
      exit_at: Date;
      created_at: Date;
      mine: boolean;
    }
    const rows = await test.database.asOwner<Row>(
      `select s.*, o.outcome, o.net_fraction, o.is_ambiguous, o.exit_at,
         exists (select from scan_candidates c where c.signal_id = s.id and c.user_id = $1) as mine
       from signals s left join signal_outcomes o on o.signal_id = s.id where s.market = 'simulated'`,
      [userId],
    );
    const signals = rows.map((row) => {
      const { id, symbol, direction, confidence, mine: isMine, outcome } = row;
      const { net_fraction: netFraction, is_ambiguous: isAmbiguous } = row;
      const result = outcome === null ? null : { outcome, netFraction, isAmbiguous, exitAtMs: row.exit_at.getTime() };
      const closedAtMs = row.candle_close_at.getTime();
      const issuedAtMs = Math.max(row.created_at.getTime(), closedAtMs);
      const times = { closeAtMs: closedAtMs, issuedAtMs, horizonMinutes: row.horizon_minutes };
      const isCalibrated = row.confidence_kind === 'calibrated';
      const stated = { confidence, rawConfidence: row.raw_confidence, isCalibrated, chance: null };
      return { id, symbol, direction, ...stated, isMine, ...times, result };
    });
    const nowMs = Date.now();
    return {
      engine: recordOf(signals, nowMs),
      mine: recordOf(
        signals.filter(({ isMine }) => isMine),
        nowMs,
      ),
    };
  }

  it('read only what is new, and equal those of the whole record after every change', async () => {
    const carl = await test.signUp();
    const market = rising;
    const deps = { db: test.deps.db, market, config: { market: 'simulated' as const }, now: () => nowMs };
    for (const step of ['a signal', 'its outcome', 'nothing', 'one of mine']) {
      if (step === 'a signal') await record('SHORT', 'EEEUSDT', 0.3);
      if (step === 'its outcome') expect(await resolveSignals(deps)).toBeGreaterThan(0);
      if (step === 'one of mine') {
        const id = await record('LONG', 'FFFUSDT', 0.2);
        await resultOf(carl, id, 'FFFUSDT');
        await resolveSignals(deps);
      }
      const { engine, mine } = await read<Performance>('/api/performance', carl);
      expect({ engine, mine }, step).toEqual(await slowly(carl.id));
    }
    const { mine } = await read<Performance>('/api/performance', carl);
    expect(mine.signals).toBe(1);
  });

  it('miss nothing of a transaction that started before a reading and committed after it', async () => {
    const client = new pg.Client({ connectionString: test.database.ownerUrl });
    await client.connect();
    try {
      await client.query('begin');
      await client.query('select pg_current_xact_id()');
      await record('LONG', 'GGGUSDT', 0.4);
      const before = await read<Performance>('/api/performance');
      await client.query(
        `insert into signals (exchange, market, symbol, interval, candle_close_at, direction, score, raw_confidence, confidence,
           price, stop_loss, take_profit, horizon_minutes, risk_label, params, engine_hash, data_hash, params_hash)
         select exchange, market, 'HHHUSDT', interval, candle_close_at, direction, score, raw_confidence, confidence, price,
           stop_loss, take_profit, horizon_minutes, risk_label, params, engine_hash, data_hash, params_hash
         from signals where symbol = 'GGGUSDT'`,
      );
      await client.query('commit');
      const after = await read<Performance>('/api/performance');
      expect(after.engine['signals']).toBe((before.engine['signals'] ?? 0) + 1);
    } finally {
      await client.end();
    }
  });

  it('report the value of AI checks and saved weights, or that there is too little data', async () => {
    const dora = await test.signUp();
    const empty = await read<Performance>('/api/performance', dora);
    expect(empty).toMatchObject({ ai_value: [], tuning: null });
    const put = {
      method: 'PUT',
      url: '/api/tuning',
      headers: dora.bearer,
      payload: { weights: { adx: 1.5 } },
    } as const;
    expect((await test.app.inject(put)).statusCode).toBe(200);
    const scan = await resultOf(dora, await record('LONG', 'IIIUSDT', 0.2), 'IIIUSDT');
    await test.database.asOwner(
      `insert into scan_ai_checks (scan_id, user_id, symbol, interval, place, signal_id, state, decided_by, model, verdict,
         soft_approval, allow_correction, asked_at)
       select $1, $2, symbol, '15m', row_number() over (), id, 'online', 'built_in', 'rules-1',
         jsonb_build_object('decision', case direction when 'LONG' then 'approved' else 'rejected' end), false, false, candle_close_at
       from signals where symbol in ('AAAUSDT', 'BBBUSDT', 'IIIUSDT') and market = 'simulated'`,
      [scan, dora.id],
    );
    const { ai_value, tuning, ai_check } = await read<Performance>('/api/performance', dora);
    expect(ai_value).toMatchObject([
      {
        decided_by: 'built_in',
        model: 'rules-1',
        open: 1,
        repeats: 0,
        is_enough: false,
        needed: 10,
        passed: { count: 1, hit_rate: null },
        vetoed: { count: 1 },
        random: null,
        value_added: null,
      },
    ]);
    // The built-in rules are no AI check.
    expect(ai_check).toBeNull();
    await test.database.asOwner(`update scan_ai_checks set decided_by = 'model' where user_id = $1`, [dora.id]);
    expect((await read<Performance>('/api/performance', dora)).ai_check).toMatchObject({ signals: 2, open: 1 });
    // None of these rows has stored votes.
    expect(tuning).toMatchObject({ confidence_floor: null, in_sample: { is_enough: false, all: { count: 0 } } });
    expect((tuning as { unexplained: number }).unexplained).toBeGreaterThan(0);
    expect((await read<Performance>('/api/performance')).ai_value).toEqual([]);
    // Moving the floor after the weights were saved is a new choice, made with all data until then.
    const preferences = { method: 'PUT', url: '/api/preferences', headers: dora.bearer } as const;
    expect((await test.app.inject({ ...preferences, payload: { tuning_conf_floor: 0.4 } })).statusCode).toBe(200);
    const savedAt = async () =>
      Date.parse((await read<{ tuning: { saved_at: string } }>('/api/performance', dora)).tuning.saved_at);
    const moved = await savedAt();
    expect(moved).toBeGreaterThan(Date.parse((tuning as { saved_at: string }).saved_at));
    // Other preferences are no new choice; removing the floor is.
    await test.app.inject({ ...preferences, payload: { leverage: 3, tuning_conf_floor: 0.4 } });
    expect(await savedAt()).toBe(moved);
    await test.app.inject({ ...preferences, payload: { tuning_conf_floor: null } });
    expect(await savedAt()).toBeGreaterThan(moved);
  });
});

describe('an entry of the track record', () => {
  const attempt = async (url: string, role: string | null, statement: string): Promise<string> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query('begin');
      if (role !== null) await client.query(`set local role ${role}`);
      const { rowCount } = await client.query(statement);
      return `changed ${rowCount ?? 0}`;
    } catch (error) {
      return (error as { code: string }).code;
    } finally {
      await client.query('rollback');
      await client.end();
    }
  };

  it.each(['signals', 'signal_outcomes'])('of %s cannot be changed or removed by any role', async (table) => {
    const column = table === 'signals' ? 'confidence = 1' : 'net_fraction = 1';
    for (const statement of [`update ${table} set ${column}`, `delete from ${table}`, `truncate ${table} cascade`]) {
      for (const role of [null, 'app_user', 'app_system']) {
        expect(await attempt(test.database.serverUrl, role, statement), `${String(role)} ${statement}`).toBe('42501');
      }
      expect(await attempt(test.database.ownerUrl, null, statement), statement).toBe('23001');
    }
  });

  it('cannot be made by a signed-in user, and stays when the account that found it is deleted', async () => {
    const insert = `insert into signal_outcomes select * from signal_outcomes`;
    expect(await attempt(test.database.serverUrl, 'app_user', insert)).toBe('42501');
    const [before] = await test.database.asOwner('select count(*) from signals');
    await test.database.asOwner('delete from users where id = $1', [anna.id]);
    expect(await test.database.asOwner('select count(*) from signals')).toEqual([before]);
  });
});
