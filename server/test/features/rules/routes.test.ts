import { RULES_TEXT_MAX } from '@sextant/workers/src/rules/compileRules.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../support/createTestApp.ts';
import { makeKey } from '../apiKeys/support.ts';

let test: TestApp;
let anna: TestUser;
beforeAll(async () => {
  test = await createTestApp();
  anna = await test.signUp();
});
afterAll(() => test.close());

interface Problem {
  line: number;
  column: number;
  length: number;
  message: string;
  fix: string;
}
interface Checked {
  ok: boolean;
  errors: Problem[];
  warnings: Problem[];
  parameters: object[];
  setCount: number;
  lookBack: object[];
}
const post = (payload: object, headers: Record<string, string> = anna.bearer) =>
  test.app.inject({ method: 'POST', url: '/api/rules/check', headers, payload });
async function check(rules: string, more: object = {}): Promise<Checked> {
  const response = await post({ rules, ...more });
  if (response.statusCode !== 200) throw new Error(response.body);
  return response.json<Checked>();
}

describe('POST /api/rules/check', () => {
  it('RULE-010 returns the parameters of a text, its sets and how far it looks back', async () => {
    const rules =
      'fast = 12 [5..50 step 1]; slow = 26\nlong when close > sma(close, slow) and 4h(close > sma(close, 10))\nstop 2 * atr(14)';
    const used = `${rules}\nexit long when close < sma(close, fast)`;
    expect(await check(used)).toEqual({
      ok: true,
      errors: [],
      warnings: [],
      parameters: [
        { name: 'fast', value: 12, from: 5, to: 50, step: 1, count: 46 },
        { name: 'slow', value: 26, from: 26, to: 26, step: 0, count: 1 },
      ],
      setCount: 46,
      // A mean of 50 candles is defined at the 50th: 49 before it. That of ten longer ones has nine before it.
      lookBack: [
        { interval: '1h', candles: 49 },
        { interval: '4h', candles: 9 },
      ],
    });
  });

  it.each([
    // 5, 10 ... 50, and the 12 that is written.
    ['n = 12 [5..50 step 5]\nlong when close > sma(close, n)', 11],
    ['n = 15 [5..50 step 5]\nlong when close > sma(close, n)', 10],
    // (2, 4, 6, 8, and 3) times (1, 2, 3).
    ['a = 3 [2..8 step 2]; b = 1 [1..3 step 1]\nlong when sma(close, a) > sma(close, b)', 15],
    ['n = 12\nlong when close > sma(close, n)', 1],
  ])('RULE-208 counts the sets that a search over %j tries', async (rules, setCount) => {
    expect((await check(rules)).setCount).toBe(setCount);
  });

  it('RULE-010 returns each error with line, column, message and fix, and is no rejection', async () => {
    const { ok, errors, parameters, setCount } = await check('long when rsj(14) < 30\nshort when 20 < rsi(14) < 70');
    expect({ ok, parameters, setCount }).toEqual({ ok: false, parameters: [], setCount: 0 });
    expect(errors.map(({ line, column, length }) => [line, column, length])).toEqual([
      [1, 11, 3],
      [2, expect.any(Number), expect.any(Number)],
    ]);
    expect(errors[0]!.fix).toContain('rsi');
    expect(errors[1]!.fix).toContain('20 < rsi(14) and rsi(14) < 70');
    for (const { message } of errors) expect(message.length).toBeGreaterThan(5);
    const empty = await check('');
    expect(empty.errors).toMatchObject([{ line: 1, column: 1, length: 0 }]);
  });

  it('RULE-010 returns warnings of a text that runs, and judges longer intervals by the one that decides', async () => {
    const { ok, warnings } = await check('long when close > rsi(14)');
    expect(ok).toBe(true);
    expect(warnings).toMatchObject([{ line: 1 }]);
    const longer = 'long when 1h(close > open)';
    expect((await check(longer)).ok).toBe(false);
    expect((await check(longer, { interval: '15m' })).ok).toBe(true);
  });

  it('RULE-010 takes the most characters of a text and names the field of a longer one', async () => {
    const [fits, long] = [RULES_TEXT_MAX, RULES_TEXT_MAX + 1].map((length) =>
      `long when close > 0 #`.padEnd(length, 'x'),
    );
    expect((await check(fits!)).ok).toBe(true);
    for (const [payload, field] of [
      [{ rules: long }, 'rules'],
      [{}, 'rules'],
      [{ rules: 5 }, 'rules'],
      [{ rules: 'long when \0' }, 'rules'],
      [{ rules: 'long when \ud800' }, 'rules'],
      [{ rules: 'long when close > 0', interval: '2h' }, 'interval'],
      [{ rules: 'long when close > 0', text: '' }, 'text'],
    ] as const) {
      const response = await post(payload);
      expect([response.statusCode, response.json<{ field: string }>().field]).toEqual([400, field]);
    }
  });

  const hostile: [string, string][] = [
    ['brackets', '('.repeat(RULES_TEXT_MAX)],
    ['closed brackets', `long when ${'('.repeat(1990)}1${')'.repeat(1990)}`],
    ['nots', `long when ${'not '.repeat(990)}close > 0`],
    ['minus signs', `long when ${'-'.repeat(3900)}close > 0`],
    ['shifts', `long when close${'[1]'.repeat(1300)} > 0`],
    ['calls', `long when ${'abs('.repeat(900)}close${')'.repeat(90)} > 0`],
    ['unknown names', Array.from({ length: 550 }, (_, i) => `q${i}`).join(' > ')],
    ['statements', 'long when close > 0;'.repeat(200)],
    [
      'names',
      Array.from({ length: 400 }, (_, i) => `a${i} = ${i}`)
        .join(';')
        .slice(0, RULES_TEXT_MAX),
    ],
    ['longer intervals', `long when ${'4h(1d('.repeat(600)}close`.slice(0, RULES_TEXT_MAX)],
    ['wide ranges', Array.from({ length: 80 }, (_, i) => `p${i} = 1 [0..1e9 step 1e-9]`).join('\n')],
    ['control characters', `long when \u0001 ${'\u{1f600}'.repeat(500)} \u202e`],
    ['line ends', '\r\n'.repeat(2000)],
  ];
  it.each(hostile)('RULE-010 responds to %s in bounded time', { timeout: 5000 }, async (_name, rules) => {
    expect(rules.length).toBeLessThanOrEqual(RULES_TEXT_MAX);
    const response = await post({ rules });
    expect(response.statusCode, response.body).toBe(200);
    const { ok, errors } = response.json<Checked>();
    expect(ok).toBe(errors.length === 0);
    expect(errors.length).toBeLessThanOrEqual(20);
    const lines = rules.split(/\r\n?|\n/);
    for (const { line, column } of errors) expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? -1) + 1);
  });

  it('RULE-010 needs the scope of backtests, and gives a test key the same', async () => {
    const [live, other, sandbox] = [
      await makeKey(test, anna, { scopes: ['run:backtest'] }),
      await makeKey(test, anna, { scopes: ['read:market'] }),
      await makeKey(test, anna, { mode: 'test', scopes: ['run:backtest'] }),
    ];
    const payload = { rules: 'long when rsi(14) < 30' };
    const response = await post(payload, live.header);
    expect(response.statusCode).toBe(200);
    expect((await post(payload, sandbox.header)).body).toBe(response.body);
    expect((await post(payload, other.header)).statusCode).toBe(403);
    expect((await post(payload, {})).statusCode).toBe(401);
  });

  it('RULE-010 is limited for each user', async () => {
    const bert = await test.signUp();
    const payload = { rules: 'long when close > 0' };
    for (let i = 0; i < 120; i++) expect((await post(payload, bert.bearer)).statusCode).toBe(200);
    expect((await post(payload, bert.bearer)).statusCode).toBe(429);
    expect((await post(payload)).statusCode).toBe(200);
  });
});
