import { registry } from '@sextant/engine-as/abi/registry.ts';
import { intervals } from '@sextant/engine-as/abi/intervals.ts';
import { type Profiler, Session } from 'node:inspector';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { strategyOfFormula } from '../../src/alerts/values.ts';
import { BACKGROUND_CANDLES_MAX, candlesOfSignal } from '../../src/candles/strategyCandles.ts';
import { compileRules, NAMES_MAX, RULES_TEXT_MAX } from '../../src/rules/compileRules.ts';
import { LOOK_BACK_MAX, SETTLE_MAX } from '../../src/rules/emit.ts';
import { strategyOfRules } from '../../src/rules/strategyOfRules.ts';
import { ruleTemplates } from '../../src/rules/templates/index.ts';

const session = new Session();
beforeAll(() => {
  session.connect();
  post('Profiler.enable');
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
});
afterAll(() => {
  post('Profiler.stopPreciseCoverage');
  session.disconnect();
});

/** The session is synchronous: the callback runs before its post returns. */
function post(method: string, params: object = {}): object | undefined {
  let response: object | undefined;
  session.post(method, params, (error: Error | null, result?: object) => {
    if (error !== null) throw error;
    response = result;
  });
  return response;
}

/** Calls of the compiler's own functions: a measure of work that no other process changes. */
function callsOf(work: () => unknown): number {
  // Each take starts the counts at 0.
  post('Profiler.takePreciseCoverage');
  work();
  const { result } = post('Profiler.takePreciseCoverage') as Profiler.TakePreciseCoverageReturnType;
  return result
    .filter(({ url }) => url.includes('/workers/src/rules/'))
    .flatMap(({ functions }) => functions.map(({ ranges: [whole] }) => whole?.count ?? 0))
    .reduce((sum, count) => sum + count, 0);
}

const head = 'n = 2 [1..5 step 1]\nm = 3\n';
/** What a name is first, and what the next one makes of the one before; `A` stands for it. */
const seeds = ['n', 'm', '2', 'close', 'hlc3', 'rsi(14)', '4h(close)', 'close[n]', 'macd.signal', 'news', 'hour'];
const doublings = [
  'A + A',
  '-A * A',
  'max(A, A)',
  'if(A > A, A, A)',
  'if(A in A..A and not (A == A), A, A)',
  'nz(A, A)',
  'ema(A, 3) + A',
  'ema(A, n) + A',
  'A[1] + A',
  'A[n] + A[n]',
  'highest(A, n) - lowest(A, 2)',
  'valuewhen(A > A, A, 1) + A',
  'barssince(A > A) + A',
  'sum(A, 2) / stdev(A, n)',
  'if(crossover(A, A), A, A)',
  'rsi(A) + A',
  'boll(A, 20, 2).upper + A',
];
const uses = [
  'A > 1',
  'rsi(A) > 0',
  'close[A] > 0',
  'ema(close, A) > close',
  'highest(close, A) > A',
  'close in A..A',
  '4h(A) > 0',
  'barssince(A > A) > A',
  'percentrank(A, n) > A',
  'rsi > A',
];

const doubled = (seed: string, doubling: string, use: string, count: number): string => {
  const lines = Array.from({ length: count }, (_, i) => `a${i + 1} = ${doubling.replaceAll('A', `a${i}`)}`);
  return `${head}a0 = ${seed}\n${lines.join('\n')}\nlong when ${use.replaceAll('A', `a${count}`)}`;
};

describe('RULE-096 the work of a rule text is bounded', () => {
  /** So many names that a walk over all their uses has thirty thousand steps: such a walk shows, and ends. */
  const countOf = (doubling: string): number => {
    const times = Math.max(2, doubling.split('A').length - 1);
    return 2 * Math.ceil(Math.log(30_000) / Math.log(times) / 2);
  };

  it.each(seeds)('names that double %s cost as much as they are long, whatever is made of them', (seed) => {
    compileRules(doubled(seed, 'A + A', 'A > 1', 2));
    const growths: string[] = [];
    for (const doubling of doublings)
      for (const use of uses) {
        const most = countOf(doubling);
        const [few = 0, many = 0] = [most / 2, most].map((count) =>
          callsOf(() => compileRules(doubled(seed, doubling, use, count), { interval: '15m' })),
        );
        // Twice the names are about twice the calls.
        if (many > 4 * few) growths.push(`${doubling} | ${use}: ${few} -> ${many}`);
      }
    expect(growths).toEqual([]);
  });

  it('the longest doubling of a ranged parameter compiles, as rules and as the formula of an alert', () => {
    // A short one first: a walk that doubles ends there, and the test with it.
    for (const count of [14, NAMES_MAX - 4])
      for (const use of ['rsi(A) > 0', 'close[A] > 0', 'ema(A, 3) > 0', 'highest(close, A) > 0']) {
        const text = doubled('n', 'A + A', use, count);
        expect(text.length).toBeLessThan(RULES_TEXT_MAX);
        expect(callsOf(() => compileRules(text))).toBeLessThan(400 * count);
      }
    for (const count of [14, 24]) {
      const names = Array.from({ length: count }, (_, i) => `a${i + 1} = a${i} + a${i}`).join('; ');
      const expression = `close > 1; n = 1 [1..2 step 1]; a0 = n + n; ${names}; short when rsi(a${count}) > 0`;
      expect(expression.length).toBeLessThanOrEqual(500);
      expect(callsOf(() => strategyOfFormula({ expression, interval: '1m' }))).toBeLessThan(400 * count);
    }
  });

  /** As many mistakes as fit into a text: each costs its report, not the search for a better word. */
  it.each([
    ['unknown names', (i: number) => `emma${i}rsii${i}`, ' + '],
    ['unknown calls', (i: number) => `higest${i}(vlume${i})`, ' + '],
  ])('%s are searched for in the list that is shown alone', (_, wordOf, sign) => {
    let text = 'long when 0 < close';
    for (let i = 0; text.length < RULES_TEXT_MAX - 60; i++) text += `${sign}${wordOf(i)}`;
    expect(callsOf(() => compileRules(text))).toBeLessThan(25_000);
  });
});

describe('RULE-096 the candles that rules need are bounded', () => {
  const settleOf = (text: string, interval: (typeof intervals)[number] = '1m'): number => {
    const compiled = compileRules(text, { interval });
    if (!compiled.ok) return expect.fail(`${text}: ${compiled.error[0]?.message}`);
    return Math.max(...compiled.value.program.settles);
  };

  it('averages inside each other that need more are an error with its fix', () => {
    // Each has 999 candles before its first value and settles in 10,000: the second one inside is too many.
    const one = 'ema(close, 1000)';
    expect(settleOf(`long when ${one} < close`)).toBe(10_999);
    const nested = compileRules('long when ema(ema(ema(close, 1000), 1000), 1000) < close');
    expect(nested.ok ? [] : nested.error).toEqual([
      {
        line: 1,
        column: 15,
        length: 27,
        message: 'needs 21998 candles before its first value is settled',
        fix: 'use shorter averages, or fewer inside each other, for at most 15000 candles',
      },
    ]);
    expect(compileRules(`long when close > 1 and 4h(${one.replace('close', one)}) < close`).ok).toBe(false);
  });

  it('a look-back that is too long is that error alone', () => {
    const result = compileRules('long when ema(ema(highest(close, 4000), 1000), 1000) < close');
    expect(result.ok ? [] : result.error.map(({ fix }) => fix)).toEqual([
      `use periods and shifts that add up to at most ${LOOK_BACK_MAX}`,
    ]);
  });

  it.each(registry.filter(({ memory, alias }) => memory !== 'cumulative' && alias === undefined))(
    '$id can be used with its longest periods',
    ({ id, parameters, outputs }) => {
      const values = parameters.map(({ name, max }) => `${name} = ${max}`).join(', ');
      const lower = parameters.map(({ name, max, min }, i) => `${name} = ${i === 0 ? Math.max(min, max - 1) : max}`);
      const texts = [values, lower.join(', ')].map(
        (given) => `long when ${id}${given === '' ? '' : `(${given})`}.${outputs[0]?.name} > 0`,
      );
      // One of them keeps the order that some indicators require of their periods.
      const compiled = texts.map((text) => compileRules(text)).find(({ ok }) => ok);
      if (compiled?.ok !== true) return expect.fail(texts.join('\n'));
      for (const settle of compiled.value.program.settles) expect(settle).toBeLessThanOrEqual(SETTLE_MAX);
    },
  );

  it.each(ruleTemplates)('the template $id stays usable on every interval, also in alerts and replays', ({ text }) => {
    for (const interval of intervals) {
      const strategy = strategyOfRules(text, interval);
      // Some read longer candles than a day has.
      if (!strategy.ok) continue;
      for (const own of strategy.value.intervals)
        expect(candlesOfSignal(strategy.value, own.interval)).toBeLessThanOrEqual(BACKGROUND_CANDLES_MAX);
    }
  });
});
