import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutKlineRows } from '../../../src/protocol/wire/klineRows.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const cellCount = 6;
const cut = (text: string, listName?: string) =>
  cutKlineRows(bytes(text), { ...(listName === undefined ? {} : { listName }), cellCount });

/** What the slow way makes of rows: all of JSON, then `Number` of the first six cells. */
const slowly = (rows: readonly (readonly (string | number)[])[]): number[] =>
  rows.flatMap((row) => row.slice(0, cellCount).map(Number));

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.nat(9).map(String), minLength, maxLength });
/** Decimals as exchanges write them, up to far more digits than a double holds. */
const decimal = fc
  .tuple(
    fc.oneof(
      fc.constant('0'),
      digits(1, 20).map((text) => `1${text}`),
    ),
    fc.option(digits(1, 30)),
  )
  .map(([whole, fraction]) => (fraction === null ? whole : `${whole}.${fraction}`));
const row = fc
  .tuple(fc.nat(2 ** 45), fc.array(decimal, { minLength: 5, maxLength: 5 }), fc.array(fc.oneof(decimal, fc.nat())))
  .map(([time, prices, others]) => [time, ...prices, ...others]);

describe('rows of candles are cut out of a response', () => {
  it('of Binance, where they are the whole of it', () => {
    const rows = cut(
      '[[1700000000000,"1.5","2.25","1","2.125","10.000",1700000899999,"15.1",7],[1,"0.1","0.2","0.05","0.3","0"]]',
    );
    expect(rows?.rowCount).toBe(2);
    expect([...(rows?.cells ?? [])]).toEqual([1700000000000, 1.5, 2.25, 1, 2.125, 10, 1, 0.1, 0.2, 0.05, 0.3, 0]);
    expect(rows?.rest).toBe('[]');
  });

  it('of Bybit and OKX, where an envelope says whether they are good', () => {
    const bybit =
      '{"retCode":0,"retMsg":"OK","result":{"symbol":"BTCUSDT","list":[["1","2","3","1","2","4","9"]]},"time":5}';
    expect(cut(bybit, 'list')).toMatchObject({
      rowCount: 1,
      rest: '{"retCode":0,"retMsg":"OK","result":{"symbol":"BTCUSDT","list":[]},"time":5}',
    });
    const okx =
      '{"code":"0","msg":"","data":[["1","2","3","1","2","4","9","9","1"],["2","2","3","1","2","4","9","9","1"]]}';
    expect(cut(okx, 'data')).toMatchObject({ rowCount: 2, rest: '{"code":"0","msg":"","data":[]}' });
  });

  it('of any number of rows', () => {
    const rows = Array.from({ length: 4321 }, (_, index) => [index, 1, 2, 0.5, 1, index / 8]);
    expect([...(cut(JSON.stringify(rows))?.cells ?? [])]).toEqual(rows.flat());
  });

  it('and there may be none', () => {
    expect(cut('[]')).toMatchObject({ rowCount: 0, rest: '[]' });
    expect(cut('{"data":[],"code":"0"}', 'data')).toMatchObject({ rowCount: 0, rest: '{"data":[],"code":"0"}' });
  });

  it('with every number as JSON.parse and Number read it, to the bit', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
        expect([...(cut(JSON.stringify(rows))?.cells ?? [])]).toEqual(slowly(rows));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    '9007199254740991',
    '9007199254740993',
    '0.1',
    '123456789.123456789',
    '4.35',
    '1e3'.replace('e3', '000'),
    '0.00000000000000000000000001',
  ])('with %s read correctly where a double is short of digits', (text) => {
    expect(cut(`[[1,"${text}",1,1,1,1]]`)?.cells[1]).toBe(Number(text));
  });
});

describe('a response that does not hold such rows is left to the JSON parser', () => {
  it.each([
    ['an error', '{"code":-1121,"msg":"Invalid symbol."}'],
    ['nothing', ''],
    ['a page', '<html>busy</html>'],
    ['half a response', '[[1700000000000,"1.5","2.2'],
    ['half a row', '[[1,"1","1","1","1"]]'],
    ['a row that is cut off', '[[1,"1","1","1","1","1"'],
    ['rows that are cut off', '[[1,"1","1","1","1","1"],'],
    ['a comma too many', '[[1,"1","1","1","1","1"],]'],
    ['no comma', '[[1,"1","1","1","1","1"][2,"1","1","1","1","1"]]'],
    ['null', '[[1,null,"1","1","1","1"]]'],
    ['an empty text', '[[1,"","1","1","1","1"]]'],
    ['NaN', '[[1,"NaN","1","1","1","1"]]'],
    ['a negative price', '[[1,"-1","1","1","1","1"]]'],
    ['an exponent', '[[1,"1e5","1","1","1","1"]]'],
    ['a point without decimals', '[[1,"1.","1","1","1","1"]]'],
    ['a point without a whole', '[[1,".5","1","1","1","1"]]'],
    ['leading zeros', '[[1,"007","1","1","1","1"]]'],
    ['blanks', '[[1," 1","1","1","1","1"]]'],
    ['an open quote', '[[1,"1,"1","1","1","1"]]'],
    ['a closing quote alone', '[[1,1","1","1","1","1"]]'],
    ['a list in a row', '[[1,"1","1","1","1","1",[]]]'],
    ['an escape in an unread cell', '[[1,"1","1","1","1","1","\\u005d"]]'],
    ['other digits', '[[1,"١","1","1","1","1"]]'],
  ])('%s', (_what, text) => {
    expect(cut(text)).toBeUndefined();
  });

  it('and so is one whose list has another name, or stands elsewhere', () => {
    expect(cut('{"data":[[1,1,1,1,1,1]]}', 'list')).toBeUndefined();
    expect(cut('{"data":{"list":[]}}', 'data')).toBeUndefined();
  });

  it('however it is damaged: one byte changed or cut anywhere gives the rows of JSON, or none', () => {
    const text = JSON.stringify([
      [1700000000000, '1.5', '2.25', '1', '2.125', '10.000', 1700000899999, 'x', 7],
      [1700000900000, '2.5', '3.25', '2', '3.125', '0.5', 1700001799999, 'y', 8],
    ]);
    for (let at = 0; at < text.length; at++) {
      for (const put of ['', '"', ',', '[', ']', '0', '.', '\\', ' ', '\n', '}']) {
        const damaged = text.slice(0, at) + put + text.slice(at + 1);
        const rows = cut(damaged);
        if (rows === undefined) continue;
        const whole = `${rows.rest.slice(0, 1)}${damaged.slice(1, damaged.length - (rows.rest.length - 1))}${rows.rest.slice(1)}`;
        expect(whole).toBe(damaged);
        const readable = readJson(damaged);
        if (readable !== undefined) expect([...rows.cells]).toEqual(slowly(readable));
      }
    }
  });
});

function readJson(text: string): (string | number)[][] | undefined {
  try {
    return JSON.parse(text) as (string | number)[][];
  } catch {
    return undefined;
  }
}
