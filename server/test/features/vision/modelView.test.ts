// Long because its cases share one app, one database and their helpers: a start of them costs more than most cases.
import { randomUUID } from 'node:crypto';
import { ok } from '@sextant/workers/src/core/result.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import type { z } from 'zod';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ExchangesFake, startExchanges } from '../../../fakes/exchanges/server.ts';
import { type LlmFake, type LlmScenario, startLlm } from '../../../fakes/llm/server.ts';
import { createModelAnalyst } from '../../../src/adapters/llm/createModelAnalyst.ts';
import type { VisionAnalysis, VisionRecord, VisionStatistics } from '../../../src/features/vision/contract.ts';
import { decide, recordWire } from '../../../src/features/vision/decideView.ts';
import { checkView, type RawView } from '../../../src/features/vision/modelView.ts';
import { gradeViews } from '../../../src/features/vision/viewRecords.ts';
import { withUser } from '../../../src/platform/db/scope.ts';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { settledHour } from '../../support/hours.ts';
import { hostileTexts } from '../aicheck/support/hostileTexts.ts';
import { png } from '../profile/pictures.ts';
import { type Bars, formOf, isBetweenLevels, klines, pictured, readingOf } from './support.ts';

let exchanges: ExchangesFake;
let llm: LlmFake;
let test: TestApp;
let anna: TestUser;
let image: Buffer;
let market: { symbol: string; bars: Bars; direction: 'LONG' | 'SHORT' };
/** The hour in which its candles are the newest. */
let marketHour = 0;
/** Longest single request to the model. */
let timeoutMs = 60_000;
/** Budget of all model calls of the day. */
const dailyMicrousdMax = 1_000_000_000;

beforeAll(async () => {
  [exchanges, llm] = await Promise.all([startExchanges(), startLlm()]);
  const options = { apiKey: 'k', model: 'm-1', baseUrl: llm.url, reservedMicrousd: 1000 };
  const aiCheck = {
    model: {
      model: 'm-1',
      reservedMicrousd: 1000,
      check: () => Promise.resolve(undefined),
      query: (...of: Parameters<ReturnType<typeof createModelAnalyst>['query']>) =>
        createModelAnalyst({ ...options, timeoutMs }).query(...of),
    },
    dailyMicrousdMax,
  };
  const readChart = () => Promise.resolve(ok(pictured(readingOf(market.bars))));
  test = await createTestApp({ env: { EXCHANGES_URL: exchanges.url }, deps: { readChart, aiCheck } });
  image = await png();
}, 120_000);

/** A market that leans in a direction at its newest candles. */
async function findMarket(): Promise<typeof market> {
  const user = await test.signUp();
  for (const symbol of ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'BNBUSDT', 'DOGEUSDT', 'ADAUSDT']) {
    type Lean = { direction: string; stopLoss: number | null; takeProfit: number | null };
    const lean = await get<Lean>(user, `/api/ensemble?symbol=${symbol}&intervals=1h,4h`);
    const { direction, stopLoss: stop, takeProfit: target } = lean;
    if (direction !== 'LONG' && direction !== 'SHORT') continue;
    if (!(await isBetweenLevels(test, user, symbol, { stop, target }))) continue;
    return { symbol, direction, bars: await klines(test, user, symbol, '1h', 90) };
  }
  throw new Error('no market leans in a direction');
}
afterAll(async () => {
  await test.close();
  await Promise.all([exchanges.close(), llm.close()]);
});
beforeEach(async () => {
  const hour = await settledHour();
  if (hour !== marketHour) {
    market = await findMarket();
    marketHour = hour;
  }
  timeoutMs = 60_000;
  llm.play('verdict');
  llm.see(viewOf(market.direction));
  llm.requests.length = 0;
  anna = await test.signUp();
});

const close = (): number => market.bars.close.at(-1)!;
/**
 * A view with the direction, its levels so far away that the price cannot have passed them within the hour, and no farther from the
 * chart than its height, which a calm market has little of.
 */
const viewOf = (direction: 'LONG' | 'SHORT'): RawView => {
  const side = direction === 'LONG' ? 1 : -1;
  const height = Math.max(...market.bars.high) - Math.min(...market.bars.low);
  return {
    symbol: market.symbol,
    direction,
    confidence: 0.9,
    risk_score: 3.6,
    sentiment: side === 1 ? 'bullish' : 'bearish',
    entry: close(),
    stop_loss: close() - side * Math.min(0.04 * close(), 0.8 * height),
    take_profit: close() + side * Math.min(0.05 * close(), 0.9 * height),
    rationale: 'Higher lows.',
  };
};
const opposite = (): 'LONG' | 'SHORT' => (market.direction === 'LONG' ? 'SHORT' : 'LONG');

interface ResponseBody {
  analysis: VisionAnalysis;
  credits: number;
  detection: string;
}
const get = async <T>(user: TestUser, url: string): Promise<T> =>
  (await test.app.inject({ url, headers: user.bearer })).json<T>();
async function analyze(user: TestUser): Promise<ResponseBody> {
  const form = formOf(image);
  const headers = { ...user.bearer, ...form.headers };
  const response = await test.app.inject({
    method: 'POST',
    url: '/api/vision/analyze',
    payload: form.payload,
    headers,
  });
  expect(response.statusCode, response.body).toBe(200);
  return response.json<ResponseBody>();
}
const detection = async (): Promise<string> => (await get<ResponseBody>(anna, '/api/vision/last')).detection;
const positionsOf = (user: TestUser): Promise<{ side: string }[]> =>
  test.database.asOwner('select side from positions where user_id = $1', [user.id]);
const opensAll = (user: TestUser) =>
  test.app.inject({
    method: 'PUT',
    url: '/api/preferences',
    headers: user.bearer,
    payload: { auto_open_enabled: true, min_auto_conf_pct: 0 },
  });

describe('a chart with a view of an AI model', () => {
  it('VIS-002 VIS-011 has its view beside that of the rules, with the track record of each', async () => {
    expect(await detection()).toBe('smart');
    const before = llm.billedCount();
    const { analysis, credits } = await analyze(anna);
    expect(credits).toBe(9);
    expect(llm.billedCount() - before).toBe(1);
    expect(analysis).toMatchObject({ decided_by: 'rules', model_failure: null, direction: market.direction });
    expect(analysis.views).toMatchObject([
      { by: 'rules', model: null, record: { by: 'rules', interval: '1h' } },
      { by: 'model', model: 'm-1', direction: market.direction, risk_score: 4, record: { model: 'm-1', needed: 30 } },
    ]);
    expect(analysis.decided_because).toContain('of 30 AI views');
  });

  it('sends the picture, encoded again, with the numbers that were read, and nothing of the user', async () => {
    await analyze(anna);
    const [body] = llm.requests as { input: { content: { type: string; text?: string; image_url?: string }[] }[] }[];
    expect(body).toMatchObject({
      model: 'm-1',
      store: false,
      text: { format: { type: 'json_schema', strict: true, name: 'chart_view' } },
    });
    const [text, picture] = body!.input[0]!.content;
    expect(picture!.image_url).toBe(`data:image/webp;base64,${Buffer.from('RIFF').toString('base64')}`);
    const numbers = JSON.parse(text!.text!) as { candles_open_high_low_close: number[][]; last_close: number };
    expect(numbers.candles_open_high_low_close).toHaveLength(60);
    expect(numbers.last_close).toBeCloseTo(close(), 4);
    const all = JSON.stringify(llm.requests);
    for (const secret of [anna.id, anna.email]) expect(all).not.toContain(secret);
  });

  it.each<[LlmScenario, string, number]>([
    ['refusal', 'declined the request', 1],
    ['incomplete', 'was cut off', 1],
    ['halfBody', 'was unreadable', 1],
    ['halfJson', 'was unreadable', 1],
    ['freeText', 'was unreadable', 1],
    ['rateLimited', 'limits our requests', 0],
    ['serverError', 'is unreachable', 0],
    ['conflict', 'is unreachable', 0],
    ['badKey', 'is unreachable', 0],
    ['hang', 'timed out', 0],
    ['wrongNumbers', 'contradict the chart', 1],
    ['wrongOrder', 'contradict the chart', 1],
    ['farLevels', 'contradict the chart', 1],
    ['otherMarket', 'named another market', 1],
    ['obeysInjection', 'contradict the chart', 1],
  ])(
    'X3 VIS-018 after %s the credit goes back with the reason and the view of the rules stands: %s',
    async (scenario, reason, billed) => {
      await opensAll(anna);
      llm.see({});
      llm.play(scenario, { retryAfterS: 0 });
      if (scenario === 'hang') timeoutMs = 150;
      const before = llm.billedCount();
      const { analysis, credits } = await analyze(anna);
      expect(llm.billedCount() - before).toBe(billed);
      expect(credits).toBe(10);
      expect(await get(anna, '/api/credits')).toMatchObject({ balance: 10, held: 0 });
      expect(analysis).toMatchObject({
        decided_by: 'rules',
        direction: market.direction,
        credit_refunded: true,
        refund_message: 'The AI model failed. Showing the rules only; no position opens. Your credit was returned.',
        opening: null,
      });
      expect(await positionsOf(anna)).toEqual([]);
      expect(analysis.views.map(({ by }) => by)).toEqual(['rules']);
      expect(analysis.model_failure).toContain(reason);
      expect(analysis.model_failure).toContain('Showing the rules only.');
    },
  );

  it('VIS-018 gives the credit of unusable results back three times a day, whatever is closed; then the view of the rules costs it', async () => {
    llm.see({});
    llm.play('otherMarket');
    for (let times = 1; times <= 3; times += 1) {
      expect(await analyze(anna)).toMatchObject({ credits: 10, analysis: { credit_refunded: true } });
      await test.database.asOwner('delete from vision_analyses where user_id = $1', [anna.id]);
    }
    const fourth = await analyze(anna);
    expect(fourth).toMatchObject({ credits: 9, analysis: { credit_refunded: false, refund_message: null } });
    expect(fourth.analysis.model_failure).toBe(
      'The AI model named another market. Showing the rules only. ' +
        'Limit reached (3 refunds for unusable AI responses today). This rules view costs its credit.',
    );
    // A model that is down is not the fault of the picture.
    llm.play('serverError');
    expect(await analyze(anna)).toMatchObject({ credits: 9, analysis: { credit_refunded: true } });
    llm.play('otherMarket');
    expect((await analyze(await test.signUp())).credits).toBe(10);
    // The previous day is over.
    await test.database.asOwner(`update vision_model_refunds set day = day - interval '1 day' where user_id = $1`, [
      anna.id,
    ]);
    expect(await analyze(anna)).toMatchObject({ credits: 9, analysis: { credit_refunded: true } });
    llm.play('verdict');
  });

  it('is not offered while it cannot be reached, and is again after its next response', async () => {
    llm.play('serverError');
    await analyze(anna);
    expect(await detection()).toBe('rules');
    llm.play('verdict');
    await analyze(anna);
    expect(await detection()).toBe('smart');
  });

  it('X3 calls the model within the budget of the day and charges the result of the rules where it is used up, for twice the price of a call without a picture', async () => {
    const spent = async () => {
      const [row] = await test.database.asOwner<{ spent: number }>(
        'select coalesce(sum(reserved_microusd), 0)::int as spent from ai_calls',
      );
      return row!.spent;
    };
    const before = await spent();
    await analyze(anna);
    expect((await spent()) - before).toBe(2000);
    const ben = await test.signUp();
    await test.database.asOwner(
      `insert into ai_calls (user_id, input_hash, prompt_hash, model, attempt, reserved_microusd)
       values ($1, repeat('a', 64), repeat('b', 64), 'm-1', 1, $2)`,
      [ben.id, dailyMicrousdMax],
    );
    const sent = llm.requests.length;
    try {
      const { analysis, credits } = await analyze(anna);
      expect(analysis.model_failure).toContain('Today’s AI budget is used up.');
      expect(credits).toBe(8);
    } finally {
      await test.database.asOwner('delete from ai_calls where user_id = $1', [ben.id]);
    }
    expect(llm.requests).toHaveLength(sent);
  });

  it('X3 opens what the rules say, whatever fifty hostile responses order', async () => {
    await opensAll(anna);
    await test.database.asOwner('update balances set credits = 100 where user_id = $1', [anna.id]);
    await test.database.asOwner(
      `insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key) values ($1, 'grant', 'purchase', 90, 'many')`,
      [anna.id],
    );
    for (const text of hostileTexts) {
      llm.see({ ...viewOf(opposite()), confidence: 1, rationale: `x ${text}` });
      const { analysis } = await analyze(anna);
      expect(analysis).toMatchObject({ decided_by: 'rules', direction: market.direction });
      expect(analysis.views[1]?.rationale).not.toMatch(/[<>`[\]{}]|:\/\//);
    }
    expect(hostileTexts).toHaveLength(50);
    expect((await positionsOf(anna)).filter(({ side }) => side !== market.direction)).toEqual([]);
  }, 120_000);
});

describe('the numbers of a view', () => {
  const analysed = (range: { low: number; high: number } | null, symbol = 'BTCUSDT') =>
    ({
      range,
      result: { symbol, grounding: { state: 'verified' }, candles: { close: [90, 100] } },
    }) as unknown as Parameters<typeof checkView>[2];
  const raw: RawView = {
    symbol: 'BTC/USDT:USDT',
    direction: 'LONG',
    confidence: 0.5,
    risk_score: 5,
    sentiment: 'bullish',
    entry: 100,
    stop_loss: 95,
    take_profit: 110,
    rationale: 'Because.',
  };
  const range = { low: 90, high: 110 };

  it.each<[string, Partial<RawView>]>([
    ['the stop of a long above its entry', { stop_loss: 101 }],
    ['the target of a long below its entry', { take_profit: 99 }],
    ['the levels of a long for a short', { direction: 'SHORT' }],
    ['a missing level', { take_profit: null }],
    ['an entry over 5 % from the newest close', { entry: 105.1, take_profit: 111 }],
    ['a target outside of the range stretched by its height', { take_profit: 130.5 }],
    ['a confidence above 1', { confidence: 1.01 }],
    ['a confidence below 0', { confidence: -0.01 }],
    ['a risk score above 10', { risk_score: 10.5 }],
    ['a price of 0', { stop_loss: 0 }],
    ['no reason', { rationale: ' ' }],
  ])('VIS-014 are rejected with %s', (_, change) =>
    expect(checkView({ ...raw, ...change }, 'm', analysed(range))).toMatchObject({ ok: false, error: 'numbers' }),
  );

  it('are rejected without prices to compare them with, and for another market', () => {
    expect(checkView(raw, 'm', analysed(null))).toMatchObject({ ok: false, error: 'numbers' });
    expect(checkView({ ...raw, symbol: 'ETHUSDT' }, 'm', analysed(range))).toMatchObject({ error: 'otherMarket' });
  });

  it('X27 are taken within their bounds, with a whole risk score and no levels without a direction', () => {
    const seen = checkView({ ...raw, risk_score: 4.5, take_profit: 130 }, 'm', analysed(range));
    expect(seen).toMatchObject({ ok: true, value: { risk_score: 5, levels: { entry: 100, sl: 95, tp: 130 } } });
    expect(checkView({ ...raw, direction: 'NEUTRAL' }, 'm', analysed(null))).toMatchObject({
      ok: true,
      value: { levels: { entry: null, sl: null, tp: null } },
    });
  });
});

type Statistics = z.input<typeof VisionStatistics>;

describe('the track record of views', () => {
  /** Judged views of the rules on 1h, half of them LONG, in a market that rose every other time. */
  const rulesViews = async (count: number, rightCount: number): Promise<void> => {
    await test.database.asOwner(`delete from vision_views where viewed_by = 'rules'`);
    await test.database.asOwner(
      `insert into vision_views (user_id, analysis_id, market, viewed_by, model, symbol, interval, direction, patterns,
         candle_at, close_price, due_at, graded_at, later_price)
       select $1, gen_random_uuid(), 'simulated', 'rules', null, 'BTCUSDT', '1h', case when n % 2 = 0 then 'LONG' else 'SHORT' end, '{}',
         now() - n * interval '1 hour', 100, now() + interval '1 day', now(),
         case when (n % 2 = 0) = (n <= $3) then 101 else 99 end
       from generate_series(1, $2::int) n`,
      [anna.id, count, rightCount],
    );
  };

  it('VIS-014 blocks opening where 30 views or more are no better than their base rate', async () => {
    await opensAll(anna);
    // Of 40, 20 right: LONG in 20, rises in 20, so a coin is right in 50 %.
    await rulesViews(40, 20);
    const { analysis, credits } = await analyze(anna);
    expect(credits).toBe(9);
    expect(analysis.opening).toMatchObject({
      outcome: 'skipped',
      message: 'AI detected patterns. No position opened.',
      detail:
        'The record of the rules on 1h is no better than its base rate: right in 50 % of 40 judged views, chance gives 50 %.',
    });
    expect(await positionsOf(anna)).toEqual([]);
    const ben = await test.signUp();
    await opensAll(ben);
    await rulesViews(40, 30);
    expect((await analyze(ben)).analysis.opening).toMatchObject({ outcome: 'opened' });
    await test.database.asOwner(`delete from vision_views where graded_at is not null`);
  });

  /** Half of them LONG, half of the moves up: a coin is right in one half. */
  const record = (by: 'rules' | 'model', count: number, rightCount: number, longCount = count / 2): VisionRecord =>
    recordWire({ by, model: null, interval: '1h', count, rightCount, longCount, roseCount: longCount });

  it('decides for the model only where it is measurably better than the rules and a coin', () => {
    // Wilson's lower end, worked out by hand: 22 of 30 is 0.556, 21 of 30 is 0.521, 20 of 30 is 0.488.
    const none = record('rules', 0, 0);
    expect(decide(none, record('model', 29, 29)).by).toBe('rules');
    expect(decide(none, record('model', 30, 20)).by).toBe('rules');
    expect(decide(none, record('model', 30, 21)).by).toBe('model');
    expect(decide(record('rules', 100, 53), record('model', 30, 21)).by).toBe('rules');
    expect(decide(record('rules', 100, 53), record('model', 30, 22)).by).toBe('model');
    // Always LONG in a market that always rose: a coin with the same share of LONG does as well.
    expect(decide(none, record('model', 40, 40, 40)).by).toBe('rules');
    expect(decide(none, null)).toEqual({ by: 'rules', because: 'The rules decide.' });
  });

  it('is judged by the close ten candles later, counts equal views once, and shows no row of others', async () => {
    const ben = await test.signUp();
    llm.see(viewOf(opposite()));
    await analyze(anna);
    await analyze(ben);
    // Moves the newest candle of the views back, so that the candle that judges them is known: the last of the picture.
    const step = intervalMs['1h'];
    const { time } = market.bars;
    const before = market.bars.close.at(-11)!;
    await test.database.asOwner(
      `update vision_views set candle_at = $1, due_at = $2, close_price = $3 where user_id = any($4)`,
      [new Date(time.at(-11)!), new Date(time.at(-1)! + step), before, [anna.id, ben.id]],
    );
    expect(await gradeViews(test.deps)).toBe(4);
    const isRise = close() > before;
    await test.database.asOwner(
      `update vision_views set patterns = '{hammer:bullish,harami:bearish}', sentiment = 'bullish' where viewed_by = 'rules'`,
    );
    const { records, installation } = await get<Statistics>(anna, '/api/vision/statistics');
    const rises = Number(isRise);
    const { patterns, ...rest } = installation;
    expect(rest).toMatchObject({ needed: 30, sentiments: [{ sentiment: 'bullish', count: 1, right_count: rises }] });
    expect(patterns).toMatchObject([
      { id: 'hammer', title: 'Hammer', direction: 'bullish', count: 1, right_count: rises },
      { id: 'harami', direction: 'bearish', count: 1, right_count: 1 - rises },
    ]);
    const rightIf = (direction: string): number => Number(isRise === (direction === 'LONG'));
    expect(records).toMatchObject([
      { by: 'model', model: 'm-1', interval: '1h', count: 1, right_count: rightIf(opposite()) },
      { by: 'rules', model: null, interval: '1h', count: 1, right_count: rightIf(market.direction) },
    ]);
    const rows = await withUser(test.deps.db, anna.id, (tx) => tx.selectFrom('vision_views').selectAll().execute());
    expect(new Set(rows.map((row) => row.user_id))).toEqual(new Set([anna.id]));
  });

  it('lets a measurably better model decide, and opens only what the rules confirm', async () => {
    const ids = Array.from({ length: 40 }, () => randomUUID());
    await test.database.asOwner(
      `insert into vision_views (user_id, analysis_id, market, viewed_by, model, symbol, interval, direction, patterns,
         candle_at, close_price, due_at, graded_at, later_price)
       select $1, id::uuid, 'simulated', 'model', 'm-1', 'BTCUSDT', '1h', case when n % 2 = 0 then 'LONG' else 'SHORT' end, '{}',
         now() - n * interval '1 hour', 100, now() + interval '1 day', now(), case when n % 2 = 0 then 101 else 99 end
       from unnest($2::text[]) with ordinality as t (id, n)`,
      [anna.id, ids],
    );
    const [, ben] = [await opensAll(anna), await test.signUp()];
    llm.see(viewOf(opposite()));
    const { analysis, credits } = await analyze(anna);
    expect(analysis).toMatchObject({ decided_by: 'model', direction: opposite(), liquidation_approx: null });
    expect(analysis.confidence).toBeGreaterThan(0.9);
    expect(analysis.decided_because).toContain('The AI model decides: it was right in');
    expect(credits).toBe(9);
    expect(analysis.opening).toMatchObject({
      outcome: 'skipped',
      detail: 'The rules disagree with the direction of the AI model.',
    });
    expect(await positionsOf(anna)).toEqual([]);
    await opensAll(ben);
    llm.see(viewOf(market.direction));
    const { opening } = (await analyze(ben)).analysis;
    expect(opening, JSON.stringify(opening)).toMatchObject({ outcome: 'opened' });
    expect(await positionsOf(ben)).toEqual([{ side: market.direction }]);
    llm.see({ ...viewOf(market.direction), direction: 'NEUTRAL' });
    const neutral = await analyze(await test.signUp());
    expect(neutral).toMatchObject({ credits: 10, analysis: { credit_refunded: true, direction: 'NEUTRAL' } });
  });
});
