import { describe, expect, it } from 'vitest';
import { problemText } from '@sextant/workers/src/candles/file/csvText.ts';
import { parseCandleFile } from '@sextant/workers/src/candles/file/parseCandleFile.ts';
import { PROBLEMS_MAX } from '@sextant/workers/src/candles/file/readRows.ts';
import { badFiles, file, HOUR, NOW, row, START } from './badFiles.ts';

const read = (text: string) => parseCandleFile(text, NOW);

function problemsOf(text: string): string[] {
  const outcome = read(text);
  if (outcome.ok) throw new Error('the file was read');
  return outcome.error.problems.map(problemText);
}

function candlesOf(text: string) {
  const outcome = read(text);
  if (!outcome.ok) throw new Error(outcome.error.problems.map(problemText).join('\n'));
  return outcome.value;
}

describe('a last row whose candle has not closed', () => {
  const rows = [row(0), row(1), row(2), row(3)];
  const readAt = (nowMs: number, text = file(...rows)) => {
    const outcome = parseCandleFile(text, nowMs);
    if (!outcome.ok) throw new Error(outcome.error.problems.map(problemText).join('\n'));
    return outcome.value;
  };
  const LAST = START + 3 * HOUR;

  it.each([
    ['a second after it opened', LAST + 1000, 3, LAST],
    ['a moment before it ends', LAST + HOUR - 1, 3, LAST],
    ['as it ends', LAST + HOUR, 4, null],
  ])('is left out and named: %s', (_, nowMs, count, formingMs) => {
    const { candles, ...read } = readAt(nowMs);
    expect([candles.time.length, candles.close.length, read.formingMs]).toEqual([count, count, formingMs]);
  });

  it('is left out of a file with a gap before it, which then is none', () => {
    const { candles, gapCount, formingMs } = readAt(START + 9 * HOUR + 1, file(row(0), row(1), row(2), row(9)));
    expect([candles.time.length, gapCount, formingMs]).toEqual([3, 0, START + 9 * HOUR]);
  });

  it('leaves a file of two rows without a run', () => {
    const outcome = parseCandleFile(file(row(0), row(1)), START + HOUR + 1);
    expect(outcome.ok ? [] : outcome.error.problems.map(problemText)).toEqual([
      'Line 1: the file needs at least two closed candles',
    ]);
  });
});

describe('a file that is right', () => {
  it('becomes columns with its interval', () => {
    const { candles, interval, gapCount, timeUnit } = candlesOf(file(row(0), row(1), row(2)));
    expect([...candles.time]).toEqual([START, START + HOUR, START + 2 * HOUR]);
    expect([candles.open[1], candles.high[1], candles.low[1], candles.close[1], candles.volume[1]]).toEqual([
      100, 110, 90, 105, 12.5,
    ]);
    expect({ interval, gapCount, timeUnit }).toEqual({ interval: '1h', gapCount: 0, timeUnit: 'epoch milliseconds' });
  });

  it('may have its columns in any order and letter case, and others beside them', () => {
    const text = `Close,symbol,TIME,Low,Open,Volume,High\n105,BTC,${START},90,100,1,110\n106,BTC,${START + HOUR},91,101,2,111`;
    const { candles, ignoredColumns } = candlesOf(text);
    expect([candles.open[1], candles.high[1], candles.low[1], candles.close[1]]).toEqual([101, 111, 91, 106]);
    expect(ignoredColumns).toEqual(['symbol']);
  });

  it.each([
    ['seconds', '1641218400', '1641222000', 'epoch seconds'],
    ['ISO with Z', '2022-01-03T14:00:00Z', '2022-01-03T15:00:00Z', 'ISO'],
    ['ISO with an offset', '2022-01-03T15:00:00+01:00', '2022-01-03T16:00:00+01:00', 'ISO'],
    ['ISO without a zone, read as UTC', '2022-01-03 14:00', '2022-01-03 15:00', 'ISO'],
  ])('may write its times as %s', (_, first, second, unit) => {
    const rest = ',100,110,90,105,1';
    const { candles, timeUnit } = candlesOf(file(`${first}${rest}`, `${second}${rest}`));
    expect([...candles.time]).toEqual([START, START + HOUR]);
    expect(timeUnit).toBe(unit);
  });

  it('may have a byte order mark, Windows line ends, quotes, semicolons and blank lines', () => {
    const lines = [`\uFEFF"time";"open";"high";"low";"close";"volume"`, `${START};"100";110;90;105;1`, ''];
    const { candles } = candlesOf([...lines, `${START + HOUR};100;110;90;105;0`, ''].join('\r\n'));
    expect(candles.time.length).toBe(2);
    expect(candles.volume[1]).toBe(0);
  });

  it('names its gaps and invents nothing', () => {
    const { candles, gapCount, missingCount, firstGapMs } = candlesOf(file(row(0), row(1), row(4), row(5), row(7)));
    expect(candles.time.length).toBe(5);
    expect({ gapCount, missingCount, firstGapMs }).toEqual({ gapCount: 2, missingCount: 3, firstGapMs: START + HOUR });
  });

  it('may write numbers with an exponent', () => {
    const text = file(`${START},1e-5,2.5E-5,1e-6,1e-5,1e3`, `${START + HOUR},1e-5,2.5e-5,1e-6,1e-5,1e3`);
    expect(candlesOf(text).candles.high[0]).toBe(2.5e-5);
  });
});

describe('an invalid file is rejected with line, column and what to do', () => {
  it.each(badFiles)('%s', (_, text, message) => {
    expect(problemsOf(text)[0]).toBe(message);
  });

  it('has a distinct message for at least thirty kinds', () => {
    const kinds = badFiles.map(([, , message]) =>
      message.replace(/^Line \d+(, column \w+)?: /, '').replace(/[\d.,]+|"[^"]*"/g, '#'),
    );
    expect(new Set(kinds).size).toBeGreaterThanOrEqual(30);
  });

  it('names every problem of a line', () => {
    expect(problemsOf(file(row(0), `${START + HOUR},x,y,90,105,1`))).toEqual([
      'Line 3, column open: "x" is not a number; write it like 1234.56',
      'Line 3, column high: "y" is not a number; write it like 1234.56',
    ]);
  });

  it('stops after so many problems', () => {
    expect(problemsOf(file(...Array.from({ length: 100 }, () => 'a,b,c,d,e,f')))).toHaveLength(PROBLEMS_MAX);
  });

  it('has more rows than are read', () => {
    const outcome = parseCandleFile(file(row(0), row(1), row(2), row(3)), NOW, { rowsMax: 3 });
    expect(outcome).toEqual({
      ok: false,
      error: { problems: [{ line: 5, text: 'more than 3 candles; shorten the file or use a longer interval' }] },
    });
    expect(parseCandleFile(file(row(0), row(1), row(2)), NOW, { rowsMax: 3 }).ok).toBe(true);
  });
});
