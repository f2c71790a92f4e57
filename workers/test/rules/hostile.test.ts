import { mulberry } from '@sextant/engine-as/test/candles.ts';
import { describe, expect, it } from 'vitest';
import { compileRules, RULES_TEXT_MAX } from '../../src/rules/compileRules.ts';
import { formatRules } from '../../src/rules/formatRules.ts';
import { ruleTemplates } from '../../src/rules/templates/index.ts';
import { randomRules } from './randomRules.ts';

/** RULES_FUZZ=1000000 for the long run: .ci/statistics.ts. */
const trials = Number(process.env['RULES_FUZZ'] ?? 20_000);

const pieces =
  'long short exit when and or not in step after stop target trail break even hold on opposite risk size fixed R close rsi ema( macd( .signal crossover( ( ) [ ] , ; = == < > <= .. + - * / % 12 3.5 .5 1e309 1e5 4h( 1d( 4h 3R # // && || ? : ! ^ " \' \n \r\n \0 \u00a0 é 漢 \ud800 😀 ta. x y 5..50 step'.split(
    ' ',
  );

function randomText(random: () => number): string {
  const pick = <T>(list: ArrayLike<T>): T => list[Math.floor(random() * list.length)]!;
  const kind = random();
  if (kind < 0.4)
    return Array.from({ length: Math.floor(random() * 40) }, () => pick(pieces)).join(random() < 0.5 ? ' ' : '');
  if (kind < 0.6) {
    return String.fromCharCode(
      ...Array.from({ length: Math.floor(random() * 60) }, () => Math.floor(random() * (random() < 0.8 ? 128 : 65536))),
    );
  }
  if (kind < 0.62)
    return mutated(random, Array.from({ length: 12 }, () => randomRules(random)).join('\n'), pick).slice(
      0,
      RULES_TEXT_MAX,
    );
  return mutated(random, kind < 0.8 ? randomRules(random) : pick(ruleTemplates).text, pick);
}

/** One to four accidents of an editor: a part cut out, written twice, moved, replaced by a piece or by any character. */
function mutated(random: () => number, text: string, pick: <T>(list: ArrayLike<T>) => T): string {
  let result = text;
  for (let times = 1 + Math.floor(random() * 4); times > 0; times--) {
    const at = Math.floor(random() * result.length);
    const part = result.slice(at, at + Math.floor(random() * 12));
    const [before, after] = [result.slice(0, at), result.slice(at + part.length)];
    const to = Math.floor(random() * after.length);
    result = pick([
      () => before + after,
      () => before + part + part + after,
      () => before + after.slice(0, to) + part + after.slice(to),
      () => before + pick(pieces) + after,
      () => before + pick(pieces) + part + after,
      () => before + String.fromCharCode(Math.floor(random() * 65536)) + after,
    ])();
  }
  return result;
}

/** Every problem stands at characters of the text and says what to write. */
function checkProblems(text: string): void {
  const result = compileRules(text, { interval: '15m' });
  const problems = result.ok ? result.value.warnings : result.error;
  const formatted = formatRules(text);
  if (result.ok) {
    const again = compileRules(formatted, { interval: '15m' });
    expect(again.ok && again.value.program, formatted).toEqual(result.value.program);
  }
  if (!result.ok && problems.length === 0) expect.fail(`no error in ${JSON.stringify(text)}`);
  const lines = text.split(/\r\n?|\n/);
  const starts = [0, ...Array.from(text.matchAll(/\r\n?|\n/g), (match) => match.index + match[0].length)];
  for (const { line, column, length, message, fix } of problems) {
    const own = lines[line - 1];
    const isAtLine = own !== undefined && column >= 1 && column <= own.length + 1;
    const isInside = isAtLine && length >= 0 && starts[line - 1]! + column - 1 + length <= text.length;
    if (!isInside || message === '' || fix === '') {
      expect.fail(`${line}:${column} ${message} / ${fix} in ${JSON.stringify(text)}`);
    }
  }
}

describe('hostile rule texts', () => {
  it(`RULE-005 RULE-044 have errors at characters of the text, never crash and take bounded time: ${trials} texts`, () => {
    const random = mulberry(20);
    let slowest = { ms: 0, text: '' };
    for (let trial = 0; trial < trials; trial++) {
      const text = randomText(random);
      const start = process.cpuUsage();
      checkProblems(text);
      const { user } = process.cpuUsage(start);
      if (user / 1000 > slowest.ms) slowest = { ms: user / 1000, text };
    }
    // Most take a tenth of a millisecond; a collection of garbage is in it now and then.
    expect(slowest.ms, JSON.stringify(slowest.text)).toBeLessThan(500);
  }, 3_600_000);

  it.each([
    '('.repeat(RULES_TEXT_MAX),
    `long when ${'('.repeat(1900)}1${')'.repeat(1900)}`,
    `long when ${'-'.repeat(3900)}1`,
    `long when ${'not '.repeat(900)}1`,
    `long when close${'[1]'.repeat(1200)} > 1`,
    `long when ${'ta.'.repeat(1200)}x`,
    `long when ${'4h('.repeat(1200)}`,
    `long when close > ${'9'.repeat(3900)}`,
    `x = ${'1 + '.repeat(900)}1`,
    `${'a'.repeat(1900)} = 1\nlong when ${'b'.repeat(1900)} > 1`,
    Array.from({ length: 300 }, (_, i) => `x${i} = 1`).join('\n'),
    'x=1;'.repeat(1000),
    '\0'.repeat(RULES_TEXT_MAX),
    '\ud800'.repeat(RULES_TEXT_MAX),
    '\r'.repeat(RULES_TEXT_MAX),
    '1e309'.repeat(800),
    'x = 12 [5..1e300 step 1e-300]\nlong when close > x',
    Array.from({ length: 60 }, (_, i) => `a${i} = ${i === 0 ? 'close' : `a${i - 1} + a${i - 1}`}`).join('\n') +
      '\nlong when a59 > 1',
  ])('RULE-005 bounded work: case %#', (text) => {
    checkProblems(text.slice(0, RULES_TEXT_MAX));
  });

  it('RULE-005 doubling names share their steps instead of growing', () => {
    const text = Array.from({ length: 60 }, (_, i) => `a${i} = ${i === 0 ? 'close' : `a${i - 1} + a${i - 1}`}`).join(
      '\n',
    );
    const result = compileRules(`${text}\nlong when a59 > 1`);
    expect(result.ok && result.value.program.code.length / 8).toBe(61);
  });

  it('RULE-007 the canonical text is its own canonical text and compiles to the same program', () => {
    const random = mulberry(21);
    for (let trial = 0; trial < 1000; trial++) {
      const text = randomRules(random);
      const formatted = formatRules(text);
      expect(formatRules(formatted)).toBe(formatted);
      const [before, after] = [text, formatted].map((one) => compileRules(one, { interval: '15m' }));
      if (!before!.ok || !after!.ok) return expect.fail(formatted);
      expect(after!.value.program).toEqual(before!.value.program);
    }
  });
});
