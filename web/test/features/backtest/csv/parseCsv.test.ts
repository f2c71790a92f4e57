import { describe, expect, it } from 'vitest';
import { problemText } from '../../../../src/features/backtest/csv/csvText.ts';
import { parseCsv, PROBLEMS_MAX, ROWS_MAX } from '../../../../src/features/backtest/csv/parseCsv.ts';

const HEADER = 'time,open,high,low,close,volume';
const HOUR = 3_600_000;
const START = Date.UTC(2022, 0, 3, 14);
const NOW = Date.UTC(2026, 0, 1);

/** A correct row of hourly candles; `at` 0 stands in line 2. */
const row = (at: number): string => `${START + at * HOUR},100,110,90,105,12.5`;
const file = (...lines: string[]): string => [HEADER, ...lines].join('\n');
const read = (text: string) => parseCsv(text, NOW);

function problemsOf(text: string): string[] {
  const outcome = read(text);
  if (outcome.ok) throw new Error('the file was read');
  return outcome.problems.map(problemText);
}

function candlesOf(text: string) {
  const outcome = read(text);
  if (!outcome.ok) throw new Error(outcome.problems.map(problemText).join('\n'));
  return outcome.value;
}

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

/** `cell` replaces one cell of line 3. */
const withCell = (column: string, cell: string): string => {
  const at = HEADER.split(',').indexOf(column);
  const cells = row(1).split(',');
  cells[at] = cell;
  return file(row(0), cells.join(','), row(2));
};

describe('a file that is wrong is refused with line, column and what to do', () => {
  it.each([
    ['nothing in it', '', 'Line 1: the file is empty'],
    ['only blank lines', '\n \n', 'Line 1: the file is empty'],
    [
      'no names of columns',
      `${row(0)}\n${row(1)}`,
      'Line 1: the names of the columns are missing. Needed are time, open, high, low, close, volume, in the first line and in any order',
    ],
    [
      'one column missing',
      'time,open,high,low,close\n1,2,3,4,5',
      'Line 1: the column "volume" is missing. Needed are time, open, high, low, close, volume',
    ],
    [
      'several columns missing',
      'time,open,close\n1,2,3',
      'Line 1: the columns "high", "low", "volume" are missing. Needed are time, open, high, low, close, volume',
    ],
    ['a column twice', `${HEADER},close\n1,2,3,4,5,6,7`, 'Line 1: the column "close" is there twice'],
    ['only names of columns', HEADER, 'Line 1: there are fewer than two candles below the names of the columns'],
    ['one candle', file(row(0)), 'Line 1: there are fewer than two candles below the names of the columns'],
    [
      'a cell too few',
      file(row(0), `${START + HOUR},100,110,90,105`),
      'Line 3: 5 cells, but the first line names 6 columns',
    ],
    [
      'a thousands comma',
      file(row(0), `${START + HOUR},1,100,110,90,105,1`),
      'Line 3: 7 cells, but the first line names 6 columns',
    ],
    [
      'a quote that is not closed',
      file(row(0), `${START + HOUR},"100,110,90,105,1`),
      'Line 3: a quotation mark is not closed',
    ],
    [
      'text after a quote',
      file(row(0), `${START + HOUR},"100"x,110,90,105,1`),
      'Line 3: text follows the closing quotation mark of "100"',
    ],
    ['an empty price', withCell('close', ''), 'Line 3, column close: the cell is empty'],
    ['an empty time', withCell('time', ''), 'Line 3, column time: the cell is empty'],
    ['words for a price', withCell('open', 'n/a'), 'Line 3, column open: "n/a" is not a number; write it like 1234.56'],
    ['NaN', withCell('low', 'NaN'), 'Line 3, column low: "NaN" is not a number; write it like 1234.56'],
    [
      'Infinity',
      withCell('high', 'Infinity'),
      'Line 3, column high: "Infinity" is not a number; write it like 1234.56',
    ],
    [
      'a hexadecimal number',
      withCell('open', '0x64'),
      'Line 3, column open: "0x64" is not a number; write it like 1234.56',
    ],
    [
      'a number with a unit',
      withCell('close', '105$'),
      'Line 3, column close: "105$" is not a number; write it like 1234.56',
    ],
    [
      'a number that begins with a point',
      withCell('open', '.5'),
      'Line 3, column open: ".5" is not a number; write it like 1234.56',
    ],
    ['a number beyond f64', withCell('high', '1e400'), 'Line 3, column high: "1e400" is too large for a number'],
    [
      'a formula',
      withCell('close', '=SUM(B2:B9)'),
      'Line 3, column close: "=SUM(B2:B9)" is a formula; only plain numbers are read',
    ],
    [
      'a formula with a plus',
      withCell('open', '+1+1'),
      'Line 3, column open: "+1+1" is a formula; only plain numbers are read',
    ],
    [
      'a formula with an at sign',
      withCell('volume', '@now'),
      'Line 3, column volume: "@now" is a formula; only plain numbers are read',
    ],
    [
      'a formula with a minus',
      withCell('low', '-cmd'),
      'Line 3, column low: "-cmd" is a formula; only plain numbers are read',
    ],
    [
      'a formula for a time',
      withCell('time', '=NOW()'),
      'Line 3, column time: "=NOW()" is a formula; write epoch milliseconds, epoch seconds or ISO like 2026-01-03T14:00:00Z',
    ],
    ['a negative price', withCell('low', '-5'), 'Line 3, column low: -5 is no price; a price is above 0'],
    ['a price of nothing', withCell('open', '0'), 'Line 3, column open: 0 is no price; a price is above 0'],
    [
      'a negative volume',
      withCell('volume', '-0.5'),
      'Line 3, column volume: -0.5 is no volume; a volume is 0 or more',
    ],
    ['a high below the low', withCell('high', '80'), 'Line 3, column high: 80 is below the low 90'],
    [
      'a high below the close',
      withCell('high', '101'),
      'Line 3, column high: 101 is below the open 100 or the close 105',
    ],
    ['a low above the open', withCell('low', '103'), 'Line 3, column low: 103 is above the open 100 or the close 105'],
    [
      'a time in words',
      withCell('time', 'yesterday'),
      'Line 3, column time: "yesterday" is not a time; write epoch milliseconds, epoch seconds or ISO like 2026-01-03T14:00:00Z',
    ],
    [
      'a time in the order of another country',
      withCell('time', '03/01/2022 15:00'),
      'Line 3, column time: "03/01/2022 15:00" is not a time; write epoch milliseconds, epoch seconds or ISO like 2026-01-03T14:00:00Z',
    ],
    [
      'a day that does not exist',
      withCell('time', '2022-02-30T00:00:00Z'),
      'Line 3, column time: "2022-02-30T00:00:00Z" is a time that does not exist',
    ],
    [
      'an hour that does not exist',
      withCell('time', '2022-01-03T25:00:00Z'),
      'Line 3, column time: "2022-01-03T25:00:00Z" is a time that does not exist',
    ],
    [
      'microseconds',
      withCell('time', '1641222000000000'),
      'Line 3, column time: "1641222000000000" is micro- or nanoseconds; write epoch milliseconds, epoch seconds or ISO like 2026-01-03T14:00:00Z',
    ],
    [
      'a counter for a time',
      withCell('time', '2'),
      'Line 3, column time: "2" is no epoch of a candle; write epoch milliseconds, epoch seconds or ISO like 2026-01-03T14:00:00Z',
    ],
    [
      'two units of time',
      withCell('time', String((START + HOUR) / 1000)),
      'Line 3, column time: epoch seconds, but the file began with epoch milliseconds',
    ],
    [
      'a time in the future',
      withCell('time', String(NOW + HOUR)),
      'Line 3, column time: "2026-01-01 01:00 UTC" lies in the future',
    ],
    [
      'a candle twice',
      file(row(0), row(1), row(1)),
      'Line 4, column time: 2022-01-03 15:00 UTC stands in line 3 already',
    ],
    [
      'candles out of order',
      file(row(0), row(2), row(1)),
      'Line 4, column time: 2022-01-03 15:00 UTC is before line 3; candles go from oldest to newest',
    ],
    [
      'a candle off the grid',
      file(row(0), row(1), `${START + 2 * HOUR + 420_000},100,110,90,105,1`, row(3)),
      'Line 4, column time: 2022-01-03 16:07 UTC is 1 h 7 min after the line before, in a file of 1h candles',
    ],
    [
      'an interval that is not known',
      file(row(0), `${START + 7 * 60_000},100,110,90,105,1`, `${START + 14 * 60_000},100,110,90,105,1`),
      'Line 3, column time: the candles are 7m apart; known are 1m, 5m, 15m, 1h, 4h, 1d',
    ],
  ])('%s', (_, text, message) => {
    expect(problemsOf(text)[0]).toBe(message);
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
    const rows = Array.from({ length: ROWS_MAX + 1 }, (_, at) => `${1_000_000_000_000 + at * 60_000},1,1,1,1,1`);
    expect(problemsOf([HEADER, ...rows].join('\n'))).toEqual([
      `Line ${ROWS_MAX + 2}: there are more than 200,000 candles; cut the file or use a longer interval`,
    ]);
  });
});
