import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';

let test: TestApp;
let anna: TestUser;
let bert: TestUser;
beforeAll(async () => {
  test = await createTestApp();
  anna = await test.signUp();
  bert = await test.signUp();
});
afterAll(() => test.close());

const hash = 'a'.repeat(64);

async function resolved(symbol: string, net: number, market = 'simulated'): Promise<string> {
  const [row] = await test.database.asOwner<{ id: string }>(
    `insert into signals (exchange, market, symbol, interval, candle_close_at, direction, score, raw_confidence, confidence, price,
       stop_loss, take_profit, horizon_minutes, risk_label, params, engine_hash, data_hash, params_hash)
     values ('binance', $1, $2, '15m', '2026-01-05T11:00:00Z', 'LONG', 0.5, 0.7, 0.7, 100, 98, 104, 30, 'STANDARD', '{}', $3, $3, $3)
     returning id`,
    [market, symbol, hash],
  );
  const id = row?.id ?? '';
  await test.database.asOwner(
    `insert into signal_outcomes (signal_id, outcome, entry_price, exit_price, exit_at, gross_fraction, fees_fraction,
       net_fraction, is_ambiguous, basis)
     values ($1, $2, 100, $3, '2026-01-05T11:30:00Z', $4, 0, $4, false, '1m')`,
    [id, net > 0 ? 'TP' : 'SL', 100 * (1 + net), net],
  );
  return id;
}

/** @param requestedAt the signals' candle closes at 11:00, the next one at 11:15 */
async function verdict(
  user: TestUser,
  signalId: string,
  symbol: string,
  decision: string,
  requestedAt = '2026-01-05T11:01:00Z',
): Promise<void> {
  await test.database.asOwner(
    `with s as (insert into scans (user_id, params, credit_ref, status) values ($1, '{}', gen_random_uuid(), 'failed') returning id)
     insert into scan_ai_checks (scan_id, user_id, symbol, interval, place, signal_id, state, decided_by, model, verdict,
       soft_approval, allow_correction, asked_at)
     select id, $1, $3, '15m', 1, $2, 'online', 'model', 'm-1', jsonb_build_object('decision', $4::text), false, false, $5 from s`,
    [user.id, signalId, symbol, decision, requestedAt],
  );
}

it('is public: every signal of the market, losers included, and what AI checks approved, each signal once', async () => {
  const won = await resolved('WONUSDT', 0.02);
  const lost = await resolved('LOSTUSDT', -0.03);
  await resolved('ELSEUSDT', 0.5, 'live');
  // Two users requested a check of one signal; a second reject by another user does not change the first verdict.
  await verdict(anna, won, 'WONUSDT', 'approved');
  await verdict(bert, won, 'WONUSDT', 'approved');
  await verdict(anna, lost, 'LOSTUSDT', 'rejected');
  const response = await test.app.inject({ url: '/api/scoreboard' });
  expect(response.statusCode).toBe(200);
  const board = response.json<{
    engine: { signals: number; won: number; sl: number; tp: number };
    ai_check: { signals: number; won: number } | null;
    ai_value: { decided_by: string; is_enough: boolean; passed: { count: number }; vetoed: { count: number } }[];
    newest: { symbol: string; outcome: { outcome: string } | null }[];
  }>();
  expect(board.engine).toMatchObject({ signals: 2, won: 1, sl: 1, tp: 1 });
  expect(board.ai_check).toMatchObject({ signals: 1, won: 1 });
  expect(board.ai_value).toMatchObject([
    { decided_by: 'model', is_enough: false, passed: { count: 1 }, vetoed: { count: 1 } },
  ]);
  expect(board.newest.map(({ symbol, outcome }) => [symbol, outcome?.outcome]).sort()).toEqual([
    ['LOSTUSDT', 'SL'],
    ['WONUSDT', 'TP'],
  ]);
  // The response lists signals, never users.
  for (const secret of [anna.id, bert.id, anna.email, 'mine']) expect(response.body).not.toContain(secret);
});

it('ignores verdicts requested after the next candle closed: by then the outcome may have influenced the request', async () => {
  const readBoard = async () =>
    (await test.app.inject({ url: '/api/performance', headers: anna.bearer })).json<{
      ai_check: { signals: number; won: number };
      ai_value: { passed: { count: number } }[];
    }>();
  const before = await readBoard();
  const known = await resolved('KNOWNUSDT', 0.04);
  await verdict(anna, known, 'KNOWNUSDT', 'approved', '2026-01-05T11:15:00Z');
  expect((await readBoard()).ai_check).toEqual(before.ai_check);
  expect((await readBoard()).ai_value).toEqual(before.ai_value);
  const fresh = await resolved('FRESHUSDT', 0.04);
  await verdict(anna, fresh, 'FRESHUSDT', 'approved', '2026-01-05T11:14:59.999Z');
  expect((await readBoard()).ai_check).toMatchObject({ signals: before.ai_check.signals + 1 });
});

it('reports how many signals have no result although their time is over', async () => {
  const read = async () =>
    (await test.app.inject({ url: '/api/performance', headers: anna.bearer })).json<{
      engine: { open: number; overdue: number };
    }>().engine;
  const before = await read();
  // Horizons of 30 minutes: their time is over 90 minutes after the close of the candle, including an hour of waiting.
  for (const [symbol, minutesAgo] of [
    ['LATEUSDT', 151],
    ['SOONUSDT', 149],
  ] as const)
    await test.database.asOwner(
      `insert into signals (created_at, exchange, market, symbol, interval, candle_close_at, direction, score, raw_confidence,
         confidence, price, stop_loss, take_profit, horizon_minutes, risk_label, params, engine_hash, data_hash, params_hash)
       values (now() - make_interval(mins => $3), 'binance', 'simulated', $1, '15m', now() - make_interval(mins => $3), 'LONG', 0.5, 0.7, 0.7, 100, 98, 104, 30,
         'STANDARD', '{}', $2, $2, $2)`,
      [symbol, hash, minutesAgo],
    );
  expect(await read()).toMatchObject({ open: before.open + 2, overdue: before.overdue + 1 });
});
