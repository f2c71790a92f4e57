import { deflateRawSync } from 'node:zlib';

/** Candle files as other tools write them. */

export const HOUR = 3_600_000;
export const START = Date.UTC(2024, 2, 5);
export const NOW = Date.UTC(2026, 0, 1);

export interface Bar {
  at: number;
  o: string;
  h: string;
  l: string;
  c: string;
  v: string;
}

/** 240 hours of a market in hundredths; the texts are the truth. */
export const bars = (stepMs = HOUR, count = 240): Bar[] => {
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
export const table = (header: string | null, rows: string[]): string =>
  [...(header === null ? [] : [header]), ...rows, ''].join('\n');
const archive = ({ at, o, h, l, c, v }: Bar, perMs = 1): string =>
  `${at * perMs},${o},${h},${l},${c},${v},${(at + HOUR) * perMs - 1},114033.98,315,229.75,57016.99,0`;
const archiveNames =
  'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore';

/** Files of other tools with the same 240 hours. */
export const files: [what: string, text: string][] = [
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

/** A ZIP archive with one deflated or stored entry. */
export function zip(name: string, content: string, isStored = false): Uint8Array {
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
