import { deflateRawSync, gzipSync } from 'node:zlib';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { problemText } from '../../../src/candles/file/csvText.ts';
import { textOfFile } from '../../../src/candles/file/fileBytes.ts';
import { readDecimal } from '../../../src/candles/file/fileCells.ts';
import { type FileVerdict, judgeFile } from '../../../src/candles/file/judgeFile.ts';
import { parseCandleFile } from '../../../src/candles/file/parseCandleFile.ts';
import { respondToTask } from '../../../src/node/respondToTask.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2024, 2, 5);
const NOW = Date.UTC(2026, 0, 1);

interface Bar {
  at: number;
  o: string;
  h: string;
  l: string;
  c: string;
  v: string;
}

/** 240 hours of a market in hundredths; the texts are the truth. */
const bars = (stepMs = HOUR, count = 240): Bar[] => {
  let cents = 25_000;
  return Array.from({ length: count }, (_, i) => {
    const open = cents;
    cents += ((i * 7919) % 401) - 200;
    const text = (each: number): string => (each / 100).toFixed(2);
    return {
      at: START + i * stepMs,
      o: text(open),
      h: text(Math.max(open, cents) + (i % 37)),
      l: text(Math.min(open, cents) - (i % 29)),
      c: text(cents),
      v: (((i * 104_729) % 900_000) / 1000).toFixed(3),
    };
  });
};
const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
const table = (header: string | null, rows: string[]): string =>
  [...(header === null ? [] : [header]), ...rows, ''].join('\n');
const archive = ({ at, o, h, l, c, v }: Bar, perMs = 1): string =>
  `${at * perMs},${o},${h},${l},${c},${v},${(at + HOUR) * perMs - 1},114033.98,315,229.75,57016.99,0`;
const archiveNames =
  'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore';

/** Files of other tools with the same 240 hours. */
const files: [what: string, text: string][] = [
  [
    'a Binance archive with names',
    table(
      archiveNames,
      bars().map((bar) => archive(bar)),
    ),
  ],
  [
    'a Binance archive without names',
    table(
      null,
      bars().map((bar) => archive(bar)),
    ),
  ],
  [
    'a Binance archive in microseconds',
    table(
      null,
      bars().map((bar) => archive(bar, 1000)),
    ),
  ],
  [
    'nanoseconds',
    table(
      'time,open,high,low,close,volume',
      bars().map(({ at, o, h, l, c, v }) => `${at}000000,${o},${h},${l},${c},${v}`),
    ),
  ],
  [
    'CryptoDataDownload, newest first below an address',
    table(
      'https://www.example.com\nUnix,Date,Symbol,Open,High,Low,Close,Volume COIN,Volume USDT,tradecount',
      bars()
        .toReversed()
        .map(({ at, o, h, l, c, v }) => `${at},${iso(at)},COINUSDT,${o},${h},${l},${c},${v},193545.6,24`),
    ),
  ],
  [
    'dates in minutes, VolumeFrom and VolumeTo',
    table(
      'Date,Symbol,Open,High,Low,Close,VolumeFrom,VolumeTo',
      bars()
        .toReversed()
        .map(({ at, o, h, l, c, v }) => `${iso(at).slice(0, 16)},COINUSD,${o},${h},${l},${c},${v},1.5`),
    ),
  ],
  [
    'TradingView',
    table(
      'time,open,high,low,close,Volume,MA',
      bars().map(({ at, o, h, l, c, v }) => `${at / 1000},${o},${h},${l},${c},${v},101.5`),
    ),
  ],
  [
    'TradingView in ISO',
    table(
      'time,open,high,low,close,Volume',
      bars().map(({ at, o, h, l, c, v }) => `${new Date(at).toISOString().slice(0, 19)}Z,${o},${h},${l},${c},${v}`),
    ),
  ],
  [
    'Yahoo',
    table(
      'Date,Open,High,Low,Close,Adj Close,Volume',
      bars().map(({ at, o, h, l, c, v }) => `${iso(at)}+00:00,${o},${h},${l},${c},${c},${v}`),
    ),
  ],
  [
    'pandas with an unnamed index',
    table(
      ',Open,High,Low,Close,Volume',
      bars().map(({ at, o, h, l, c, v }) => `${iso(at)},${o},${h},${l},${c},${v}`),
    ),
  ],
  [
    'pandas with a counter before the time',
    table(
      'Unnamed: 0,timestamp,open,high,low,close,volume',
      bars().map(({ at, o, h, l, c, v }, i) => `${i},${at},${o},${h},${l},${c},${v}`),
    ),
  ],
  [
    'semicolons and decimal commas',
    table(
      'time;open;high;low;close;volume',
      bars().map(({ at, ...rest }) => [iso(at), rest.o, rest.h, rest.l, rest.c, rest.v].join(';').replaceAll('.', ',')),
    ),
  ],
  [
    'tabs',
    table(
      'Open time\tOpen\tHigh\tLow\tClose\tVolume',
      bars().map(({ at, o, h, l, c, v }) => [at, o, h, l, c, v].join('\t')),
    ),
  ],
  [
    'quotes around each cell',
    table(
      '"timestamp","open","high","low","close","volume"',
      bars().map(({ at, o, h, l, c, v }) => [at, o, h, l, c, v].map((each) => `"${each}"`).join(',')),
    ),
  ],
  [
    'six columns without names',
    table(
      null,
      bars().map(({ at, o, h, l, c, v }) => `${at},${o},${h},${l},${c},${v}`),
    ),
  ],
  [
    'Windows line ends and a byte order mark',
    `\uFEFF${table(
      'Datetime,Open,High,Low,Close,Volume',
      bars().map(({ at, o, h, l, c, v }) => `${iso(at)},${o},${h},${l},${c},${v}`),
    ).replaceAll('\n', '\r\n')}`,
  ],
  [
    'short names',
    table(
      't,o,h,l,c,v',
      bars().map(({ at, o, h, l, c, v }) => `${at},${o},${h},${l},${c},${v}`),
    ),
  ],
];

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

/** A ZIP archive with one deflated or stored entry. */
function zip(name: string, content: string, isStored = false): Uint8Array {
  const bytes = Buffer.from(content);
  const packed = isStored ? bytes : deflateRawSync(bytes);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(isStored ? 0 : 8, 8);
  local.writeUInt32LE(packed.length, 18);
  local.writeUInt32LE(bytes.length, 22);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(isStored ? 0 : 8, 10);
  central.writeUInt32LE(packed.length, 20);
  central.writeUInt32LE(bytes.length, 24);
  central.writeUInt16LE(name.length, 28);
  const at = local.length + name.length + packed.length;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length + name.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([local, Buffer.from(name), packed, central, Buffer.from(name), end]);
}

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

describe('the task data-check', () => {
  const names = 'time,open,high,low,close,volume';
  const check = async (input: string | Uint8Array) => {
    const { code, stdout, stderr } = await respondToTask(
      ['data-check'],
      () => Promise.resolve(input),
      () => Promise.resolve(),
    );
    return { code, stderr, verdict: stdout === '' ? undefined : (JSON.parse(stdout) as FileVerdict) };
  };
  const rowAt = (hour: number, cells = '100,101,99,100.5,7'): string => `${START + hour * HOUR},${cells}`;

  it('HIST-028 lists gaps, overlaps, outliers, frozen, off-grid and misshapen rows with their lines', async () => {
    const rows = [
      ...[0, 1, 2, 3, 4, 5].map((hour) => rowAt(hour)),
      rowAt(5), // 8: the same again
      rowAt(5, '100,101,99,100.4,7'), // 9: another version
      rowAt(9), // 10: after a gap of three
      `${START + 10 * HOUR + 60_000},100,101,99,100.5,7`, // 11: off the grid
      rowAt(11, '100,101,99,150,7'), // 12: a close above the high, and a jump
      rowAt(12), // 13: back
      ...[13, 14, 15, 16, 17, 18].map((hour) => rowAt(hour, '100.5,100.5,100.5,100.5,0')), // 14: frozen
      ...[19, 20].map((hour) => rowAt(hour)),
      rowAt(8), // 22: out of order
    ];
    const { code, verdict } = await check(table(names, rows));
    expect(code).toBe(0);
    expect(verdict).toMatchObject({
      verdict: 'unusable',
      rows: 21,
      interval: '1h',
      has_volume: true,
      overlaps: {
        count: 2,
        rows: [
          { line: 8, same: true },
          { line: 9, same: false },
        ],
      },
      out_of_order: { count: 1, rows: [{ line: 22 }] },
      off_grid: { count: 1, rows: [{ line: 11 }] },
      outliers: { count: 2, rows: [{ line: 12 }, { line: 13 }] },
      frozen: { count: 1, rows: [{ line: 14, length: 6 }] },
      bad_shape: { count: 1, rows: [{ line: 12 }] },
    });
    expect(verdict?.gaps.rows[0]).toEqual({
      from: new Date(START + 6 * HOUR).toISOString(),
      to: new Date(START + 8 * HOUR).toISOString(),
      missing: 3,
    });
  });

  it('HIST-028 calls a clean file usable, a ZIP too, and drops a forming last candle', async () => {
    expect((await check(zip('a.csv', files[0]?.[1] ?? ''))).verdict).toMatchObject({
      verdict: 'usable',
      rows: 240,
      interval: '1h',
      forming_dropped: 0,
    });
    const last = Math.floor(Date.now() / HOUR) * HOUR;
    const rows = Array.from({ length: 240 }, (_, i) => `${last - (239 - i) * HOUR},1,2,1,1.5,3`);
    const { verdict } = await check(table(names, rows));
    expect(verdict).toMatchObject({ verdict: 'usable', rows: 239, forming_dropped: 1 });
    expect(verdict?.assumed[0]).toContain('Skipped the last row');
  });

  it('HIST-028 ends with one line for a file that cannot be read', async () => {
    expect(await check('a,b\n1,2')).toMatchObject({
      code: 1,
      stderr:
        'Line 1: the columns "time", "open", "high", "low", "close", "volume" are missing. Use time, open, high, low, close, volume\n',
    });
    expect(await check('')).toMatchObject({ code: 1, stderr: 'standard input: the file is empty\n' });
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
