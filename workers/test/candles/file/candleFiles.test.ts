import { gzipSync } from 'node:zlib';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { problemText } from '../../../src/candles/file/csvText.ts';
import { textOfFile } from '../../../src/candles/file/fileBytes.ts';
import { readDecimal } from '../../../src/candles/file/fileCells.ts';
import { judgeFile } from '../../../src/candles/file/judgeFile.ts';
import { parseCandleFile } from '../../../src/candles/file/parseCandleFile.ts';
import { bars, files, HOUR, NOW, table, zip } from './foreignFiles.ts';

function expectTruth(text: string): void {
  const read = parseCandleFile(text, NOW);
  if (!read.ok) throw new Error(read.error.problems.map(problemText).join('\n'));
  const { candles, interval, gapCount } = read.value;
  expect([interval, gapCount]).toEqual(['1h', 0]);
  const truth = bars();
  expect([...candles.time]).toEqual(truth.map(({ at }) => at));
  for (const [name, key] of [
    ['open', 'o'],
    ['high', 'h'],
    ['low', 'l'],
    ['close', 'c'],
    ['volume', 'v'],
  ] as const)
    expect([...candles[name]], name).toEqual(truth.map((bar) => Number(bar[key])));
}

describe('a candle file of another tool', () => {
  it.each(files)('HIST-026 is read: %s', (_, text) => expectTruth(text));

  it('HIST-026 states what was assumed', () => {
    const read = parseCandleFile(files[4]?.[1] ?? '', NOW);
    expect(read.ok && read.value.assumed).toEqual([
      'Skipped 1 line above the columns.',
      'Read "Unix" as time, "Volume COIN" as volume.',
      'The newest row comes first: sorted oldest first.',
    ]);
  });

  it('HIST-026 combines candles of 30m into 1h, and leaves out a half', () => {
    const rows = bars(HOUR / 2, 9);
    const read = parseCandleFile(
      table(
        'time,open,high,low,close,volume',
        rows.map(({ at, o, h, l, c, v }) => `${at},${o},${h},${l},${c},${v}`),
      ),
      NOW,
    );
    if (!read.ok) throw new Error('not read');
    const { candles, interval, assumed } = read.value;
    const pair = rows.slice(0, 2);
    expect([interval, candles.time.length]).toEqual(['1h', 4]);
    expect([candles.open[0], candles.close[0]]).toEqual([Number(pair[0]?.o), Number(pair[1]?.c)]);
    expect(candles.high[0]).toBe(Math.max(...pair.map(({ h }) => Number(h))));
    expect(assumed).toEqual(['Combined 30m candles into 1h, 2 each. 1 incomplete ones were left out.']);
  });

  it('HIST-027 without volume is rejected with how to add it, never filled up', () => {
    const text = table(
      'time,open,high,low,close',
      bars().map(({ at, o, h, l, c }) => `${at},${o},${h},${l},${c}`),
    );
    const read = parseCandleFile(text, NOW);
    expect(read.ok ? '' : read.error.problems[0]?.text).toBe(
      'the column "volume" is missing. Add it: orders fill, and volume votes count, only with volume',
    );
    expect(judgeFile(text, NOW)).toMatchObject({
      ok: true,
      value: { verdict: 'unusable', has_volume: false, rows: 240 },
    });
  });

  it('HIST-027 with unknown names shows its first rows, and is read once the columns are named', () => {
    const text = table(
      'wann,auf,hoch,tief,zu,menge',
      bars().map(({ at, o, h, l, c, v }) => `${at},${o},${h},${l},${c},${v}`),
    );
    const read = parseCandleFile(text, NOW);
    if (read.ok) throw new Error('was read');
    expect(read.error.sample?.names).toEqual(['wann', 'auf', 'hoch', 'tief', 'zu', 'menge']);
    expect(read.error.sample?.rows[0]?.[1]).toBe('250.00');
    const mapping = { time: 0, open: 1, high: 2, low: 3, close: 4, volume: 5 };
    const named = parseCandleFile(text, NOW, { mapping });
    expect(named.ok && named.value.candles.close.length).toBe(240);
  });

  it('reads plain decimals to the same bits as Number', () => {
    let state = 7;
    const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    for (let i = 0; i < 20_000; i++) {
      const digits = String(Math.floor(random() * 10 ** (1 + (i % 15))));
      const at = Math.floor(random() * digits.length);
      const text = at === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`;
      const value = readDecimal(text, 0, text.length, false);
      expect(Object.is(value, Number(text)) || Number.isNaN(value), text).toBe(true);
    }
    for (const bad of ['', '.', '.5', '5.', '1.2.3', '-1', '1e5', '0x10', '1,5', ' 1'])
      expect(readDecimal(bad, 0, bad.length, false), bad).toBeNaN();
  });
});

describe('a ZIP archive', () => {
  const text = files[1]?.[1] ?? '';
  it.each([false, true])('HIST-026 is unpacked (stored: %s)', async (isStored) => {
    const read = await textOfFile(zip('COINUSDT-1h-2024-03.csv', text, isStored));
    if (!read.ok) throw new Error(read.error);
    expectTruth(read.value);
  });

  it('is rejected when it is cut, has no CSV file, or states another size', async () => {
    const whole = zip('a.csv', text);
    const error = async (bytes: Uint8Array): Promise<string> => {
      const read = await textOfFile(bytes);
      return read.ok ? '' : read.error;
    };
    expect(await error(whole.subarray(0, whole.length - 30))).toContain('the ZIP file is damaged');
    expect(await error(zip('workbook.xml', text))).toBe(
      'no CSV file is in the archive; save a spreadsheet as CSV UTF-8',
    );
    const lying = Buffer.from(whole);
    lying.writeUInt32LE(100, lying.length - 22 - 46 - 5 + 24);
    expect(await error(lying)).toContain('damaged');
    const huge = Buffer.from(whole);
    huge.writeUInt32LE(0xfffffff0, huge.length - 22 - 46 - 5 + 24);
    expect(await error(huge)).toBe('the unpacked file is too large; split it');
    expect(await error(gzipSync(text))).toBe('save the file as CSV UTF-8');
  });
});

/** Set where the collected files are; the tables above have the same kinds. */
const cases = process.env.FOREIGN_FILES ?? '';
/** Foreign files with the right result: interval, candles, first open and last close. */
const foreign: [folder: string, interval: string, count: number, last: number | null][] = [
  ['48a-archive-no-header', '1h', 240, 260.47],
  ['49a-microseconds-1m', '1m', 300, null],
  ['51a-url-line-newest-first', '1h', 240, 260.47],
  ['51c-volumefrom-volumeto', '1h', 240, 260.47],
  ['53a-index-without-name', '1h', 240, 260.47],
  ['53e-decimal-comma', '1h', 240, 260.47],
  ['53f-30-minutes', '1h', 120, null],
];
describe.skipIf(cases === '' || !existsSync(cases))('the collected foreign files', () => {
  it.each(foreign)('HIST-026 reads %s', (folder, interval, count, last) => {
    const name = readdirSync(join(cases, folder)).find((each) => each.endsWith('.csv')) ?? '';
    const read = parseCandleFile(readFileSync(join(cases, folder, name), 'utf8'), NOW);
    if (!read.ok) throw new Error(read.error.problems.map(problemText).join('\n'));
    expect([read.value.interval, read.value.candles.time.length]).toEqual([interval, count]);
    expect(read.value.candles.open[0]).toBe(250);
    if (last !== null) expect(read.value.candles.close.at(-1)).toBe(last);
  });
});
