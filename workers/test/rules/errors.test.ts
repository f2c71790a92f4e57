import { describe, expect, it } from 'vitest';
import { compileRules, RULES_TEXT_MAX } from '../../src/rules/compileRules.ts';

/** Text, `line:column` of the first error, a part of its message, a part of its fix. Written down as a trader would mistype them. */
const cases: [text: string, at: string, message: string, fix: string][] = [
  ['long when rsi14 < 30', '1:11', '`rsi14` is not known', 'rsi(14)'],
  ['long when ema_20 > close', '1:11', '`ema_20`', 'ema(20)'],
  ['long when clsoe > open', '1:11', '`clsoe` is not known', 'write close'],
  ['long when close > bb.upper', '1:19', '`bb`', 'boll(20, 2)'],
  ['long when crossabove(close, open)', '1:11', '`crossabove`', 'crossover(a, b)'],
  ['long when frobnicate(close) > 1', '1:11', 'not known', 'define it above'],
  ['long when close crosses above ema(200)', '1:17', '`crosses above`', 'crossover(close, ema(200))'],
  ['long when close crosses below ema(200)', '1:17', '`crosses below`', 'crossunder(close, ema(200))'],
  ['long when ema(20) crosses ema(50)', '1:19', '`crosses`', 'crossover(ema(20), ema(50))'],
  ['long when rsi is below 30', '1:15', '`is below`', 'rsi < 30'],
  ['long when rsi above 70', '1:15', '`above`', 'rsi > 70'],
  ['long when hour between 8 and 20', '1:16', '`between`', 'hour in 8..20'],
  ['long when rsi = 30', '1:15', '`=`', '=='],
  ['long when rsi < 30 && close > open', '1:20', '`&&`', 'write and'],
  ['long when rsi < 30 || close > open', '1:20', '`||`', 'write or'],
  ['long when !(rsi < 30)', '1:11', '`!`', 'write not'],
  ['long when rsi <> 30', '1:15', '`<>`', 'write !='],
  ['long when rsi => 30', '1:15', '`=>`', 'write >='],
  ['long when rsi =< 30', '1:15', '`=<`', 'write <='],
  ['long when rsi ≥ 30', '1:15', '`≥`', 'write >='],
  ['x := 3\nlong when close > x', '1:3', '`:=`', 'write ='],
  ['long when close > close ^ 2', '1:25', '`^`', 'x * x'],
  ['long when close > open ? 1 : 2', '1:24', '`?`', 'if(condition'],
  ['long when close > "open"', '1:19', '`"`', 'without quotes'],
  ['long when {rsi < 30}', '1:11', '`{`', 'round brackets'],
  ['long when close[-1] > close', '1:17', 'rules cannot see the future', 'close[1]'],
  ['long when close[1.5] > close', '1:17', 'a shift is 1.5', 'whole number from 0 to 5000'],
  ['long when close[hour] > close', '1:17', 'not a fixed number', 'number or the name of a parameter'],
  ['long when close(1) > close', '1:11', 'is a series', 'close[1]'],
  ['long when 20 < rsi < 70', '1:20', 'a comparison has two sides', 'write 20 < rsi and rsi < 70'],
  ['long rsi < 30', '1:6', '`when` is missing', 'long when'],
  ['long if rsi < 30', '1:6', '`when` is missing', 'long when'],
  ['buy when rsi < 30', '1:1', '`buy` starts no statement', 'long when'],
  ['rsi < 30', '1:1', '`rsi` starts no statement', 'long when rsi < 30'],
  ['exit when rsi > 70\nlong when rsi < 30', '1:6', '`exit` names no side', 'exit long when'],
  ['long when ta.ema(close, 20) > close', '1:11', '`ta.ema`', 'write ema'],
  ['n = input.int(14)\nlong when rsi(n) < 30', '1:5', '`input.int`', '[5..50 step 1]'],
  ['long when change(close) > 2%', '1:28', '`%` stands only in', '0.02'],
  ['long when atr(14) > 1,5', '1:22', '`,`', '1.5'],
  ['long when RSI(14) < 30', '1:11', 'lower case', 'write rsi'],
  ['LONG when rsi < 30', '1:1', 'lower case', 'write long'],
  ['long when rsi < 30 AND close > open', '1:20', 'lower case', 'write and'],
  ['long when rsi(14 < 30', '1:22', 'expected `)`', 'write )'],
  ['long when rsi(14)) < 30', '1:18', 'expected the end of the line', 'remove the bracket'],
  ['long when rsi <', '1:16', 'a value is missing', 'write a value'],
  ['long when ema(close 20) > 1', '1:21', 'an operator is missing', 'comma'],
  ['long when close', '1:11', 'a number where a condition is needed', 'close > 0'],
  ['long when (close > open) + 1 > 2', '1:11', 'a condition where a number is needed', 'if((close > open), 1, 0)'],
  ['long when macd(26, 12) > 0', '1:11', 'fast of macd must be shorter', 'change the numbers'],
  ['long when macd.sginal > 0', '1:16', 'no output `sginal`', 'macd.signal'],
  ['long when close.upper > 0', '1:17', '`close` has no outputs', 'write close'],
  ['long when rsi(0) < 30', '1:15', 'period of rsi is 0', 'from 1 to 1000'],
  ['long when rsi(14.5) < 30', '1:15', 'period of rsi is 14.5', 'whole number'],
  ['long when rsi(length = 14) < 30', '1:15', '`length` is not a parameter of `rsi`', 'period = 14'],
  ['long when rsi(14, 3) < 30', '1:19', '`rsi` has 1 parameter', 'rsi(x = close, period = 14)'],
  ['long when atr(close, 14) > 1', '1:15', 'takes no series', 'atr(period = 14)'],
  ['long when highest(high) < close', '1:11', '`highest` takes 2 arguments, 1 given', 'highest(x, n)'],
  ['long when crossover(close > open, 1)', '1:21', 'a condition where a number', 'if('],
  ['long when barssince(close) > 3', '1:21', 'a number where a condition', 'compare it'],
  ['n = 12 [5..50 step 1]\nlong when ema(close, 2 * n) > close', '2:22', 'not a fixed number', 'own parameter'],
  ['n = 12 [5..50 step 1\nlong when rsi(n) < 30', '1:21', 'the range is not complete', '12 [5..50 step 1]'],
  ['n = 12 [5..50 step', '1:19', 'the range is not complete', '12 [5..50 step 1]'],
  ['n = 12 [5..]\nlong when rsi(n) < 30', '1:12', 'the range is not complete', '12 [5..50 step 1]'],
  ['n = 12 []\nlong when rsi(n) < 30', '1:9', 'the range is not complete', '12 [5..50 step 1]'],
  ['n = 12 [5]\nlong when rsi(n) < 30', '1:10', 'the range is not complete', '12 [5..50 step 1]'],
  ['n = 12 [5..50 step]\nlong when rsi(n) < 30', '1:19', 'the range is not complete', '12 [5..50 step 1]'],
  ['n = 12 [5-50 step 1]\nlong when rsi(n) < 30', '1:10', '`-` does not belong in a range', '12 [5..50 step 1]'],
  ['n = 12 [5..50]\nlong when rsi(n) < 30', '1:14', 'the step of the range is missing', '[5..50 step 1]'],
  ['n = 12 [50..5 step 1]\nlong when rsi(n) < 30', '1:8', 'ends below its start', '[5..50 step 1]'],
  ['n = 60 [5..50 step 1]\nlong when rsi(n) < 30', '1:8', '60 is outside the range', 'from 5 to 50'],
  ['n = 12 [5..50 step 0]\nlong when rsi(n) < 30', '1:8', 'the step is 0', 'above 0'],
  ['n = 12 [5..50 step 0.5]\nlong when rsi(n) < 30', '2:15', 'has a step of 0.5', 'whole number'],
  ['x = 1 [0..1 step 0.0000001]\nlong when close > x', '1:7', '10,000,001 sets', 'larger steps'],
  ['long when a > close\na = open', '1:11', 'used before its line', 'move the line of a'],
  ['a = open\na = close\nlong when a > 1', '2:1', '`a` has a value already', 'a_2'],
  ['close = 5\nlong when close > 1', '1:1', 'a word of the language', 'my_close'],
  ['long when rsi < 30\nlong when rsi < 20', '2:1', 'stands in line 1 already', 'join both with or'],
  ['exit long when rsi > 70', '1:24', 'nothing opens a position', 'long when'],
  ['', '1:1', 'nothing opens a position', 'long when'],
  ['long when 4h(1d(close)) > 1', '1:14', 'cannot stand inside another', 'beside each other'],
  ['long when 2h(close) > 1', '1:11', '`2h` is not an interval', '1m, 5m, 15m, 1h, 4h, 1d'],
  ['long when 4H(close) > 1', '1:11', '`4H` is not an interval', 'write 4h'],
  ['long when 60m(close) > 1', '1:11', '`60m` is not an interval', 'write 1h'],
  ['long when 5m(close) > 1', '1:11', '5m is not longer than the candles of 15m', '1h, 4h, 1d'],
  ['long when 4h(funding) > 0', '1:14', 'exists on the base interval only', 'outside 4h'],
  ['long when 4h close > 1', '1:11', '`4h` has no expression', '4h(close)'],
  ['long when hour in [8..20]', '1:19', 'has no brackets', 'hour in 8..20'],
  ['long when hour in 22..4', '1:19', 'ends below its start', 'hour >= 22 or hour <= 4'],
  ['long when close > 1 / 0', '1:19', 'has no value', 'can be calculated'],
  ['long when close > 1e309', '1:19', 'too large', 'below 1e308'],
  ['long when close > 1_000', '1:19', 'neither a number nor a name', 'write 1000'],
  ['long when close > 2x', '1:19', 'neither a number nor a name', 'write 2 * x'],
  ['stop 2\nlong when rsi < 30', '1:7', 'the unit of the distance is missing', '2 % or 2 * atr(14)'],
  ['stop atr(14)\nlong when rsi < 30', '1:6', 'the multiple of `atr` is missing', '1 * atr(14)'],
  ['stop 2 atr(14)\nlong when rsi < 30', '1:8', 'the unit of the distance', '2 * atr(14)'],
  ['stop 90 %\nlong when rsi < 30', '1:6', 'is 90 %', 'to 50 %'],
  ['stop 2R\nlong when rsi < 30', '1:6', 'R is the distance of the stop itself', 'stop 2 %'],
  ['sl 2 %\nlong when rsi < 30', '1:1', '`sl` starts no statement', 'stop 2 %'],
  ['stop 1,5 %\nlong when rsi < 30', '1:7', '`,`', '1.5'],
  ['stop 2 %; stop 3 %\nlong when rsi < 30', '1:11', '`stop` stands in line 1 already', 'remove'],
  ['stop 40 %; target 3R\nlong when rsi < 30', '1:12', 'the target is 120 % away', 'to 50 %'],
  ['stop 2 * atr(14); target 3 * atr(10)\nlong when rsi < 30', '1:34', 'one period of `atr`', 'one period'],
  ['hold 24 candles\nlong when rsi < 30', '1:9', 'without a unit', 'hold 24'],
  ['risk 1\nlong when rsi < 30', '1:7', 'expected `%`', 'risk 1 %'],
  ['risk 1 %; size fixed\nlong when rsi < 30', '1:11', 'the size of a position stands', 'remove'],
  ['on opposite close\nlong when rsi < 30', '1:13', 'expected hold, exit or reverse', 'on opposite'],
  ['break even at 1R\nlong when rsi < 30', '1:12', 'expected `after`', 'break even after 1R'],
  ['long when highest(close, 4000)[2000] > 1', '1:11', 'looks back 5999 candles', 'at most 5000'],
  [`long when ${'('.repeat(40)}close`, '1:43', 'nested deeper than 32', 'name a part'],
  [`long when close > ${Array(150).fill('close').join(' + ')}`, '1:819', 'more than 200 parts', 'shorten'],
];

describe('errors of own rules', () => {
  it.each(cases)('RULE-004 %j at %s: %s, fix %s', (text, at, message, fix) => {
    const result = compileRules(text, { interval: '15m' });
    if (result.ok) return expect.fail('it compiles');
    const [first] = result.error;
    expect(first!.message).toContain(message);
    expect(first!.fix).toContain(fix);
    expect(`${first!.line}:${first!.column}`).toBe(at);
  });

  it.each([
    // One choice is written out, two are joined by or, more are a list.
    ['4h', 'long when 1h(close > open)', 'write 1d(close > open)'],
    ['1h', 'long when 5m(close) > open', 'use 4h or 1d'],
    ['15m', 'long when 15m(close) > open', 'use one of 1h, 4h, 1d'],
    ['1d', 'long when 1d(close) > open', 'use it on candles shorter than 1d'],
    ['1h', 'long when rsi(14).line > 30', 'write rsi(...).rsi'],
    ['1h', 'long when rsi.line > 30', 'write rsi.rsi'],
    ['1h', 'long when boll(20, 2).foo > 30', 'use one of .upper, .middle, .lower'],
  ] as const)('RULE-207 on %s candles the fix of %j is %j', (interval, text, fix) => {
    const result = compileRules(text, { interval });
    expect(result.ok ? [] : result.error.map((one) => one.fix)).toEqual([fix]);
  });

  it('RULE-207 says how many ranges are too many', () => {
    const fixesOf = (count: number) => {
      const lines = Array.from({ length: count }, (_, i) => `n${i} = 1 [1..2 step 1]`);
      const sum = lines.map((_, i) => `n${i}`).join(' + ');
      const result = compileRules([...lines, `long when close > ${sum}`].join('\n'));
      return result.ok ? [] : result.error.map((one) => one.fix);
    };
    expect(fixesOf(8)).toEqual([]);
    expect(fixesOf(9)).toEqual(['remove one of the ranges']);
    expect(fixesOf(10)).toEqual(['remove 2 of the ranges']);
  });

  it('RULE-004 finds every error of a text, in order, 20 at most', () => {
    const text = 'a = foo1x(3)\nb = clsoe + vlume\nlong when rsi14 < 30\nstop 90 %';
    const result = compileRules(text);
    const places = result.ok ? [] : result.error.map(({ line, column }) => `${line}:${column}`);
    expect(places).toEqual(['1:5', '2:5', '2:13', '3:11', '4:6']);
    const many = compileRules(Array.from({ length: 60 }, (_, i) => `v${i} = unknown${i}`).join('\n'));
    expect(many.ok ? 0 : many.error.length).toBe(20);
  });

  it('RULE-005 a text that is too long is one error behind its last allowed character', () => {
    const result = compileRules('#'.repeat(RULES_TEXT_MAX + 1));
    expect(result.ok ? [] : result.error).toMatchObject([{ line: 1, column: RULES_TEXT_MAX + 1 }]);
  });

  it.each([
    ['long when close > rsi(14)', '1:11', 'a price with a value from 0 to 100'],
    ['long when close > volume', '1:11', 'a price with a volume'],
    ['long when rsi(14) > 130', '1:21', 'always from 0 to 100'],
    ['long when hour == 24', '1:19', 'always from 0 to 23'],
    ['n = 3\nlong when close > open', '1:1', '`n` is not used'],
  ])('RULE-006 %j compiles with a warning at %s', (text, at, message) => {
    const result = compileRules(text);
    const [first] = result.ok ? result.value.warnings : [];
    expect(first?.message).toContain(message);
    expect(`${first?.line}:${first?.column}`).toBe(at);
  });

  it('RULE-006 values of one scale have no warning', () => {
    const result = compileRules(
      'long when close > boll(20, 2).upper + 2 * atr(14) and rsi(14) < mean(rsi(14), 5) and ema(volume, 9) < volume',
    );
    expect(result).toMatchObject({ ok: true, value: { warnings: [] } });
  });
});
