export const HEADER = 'time,open,high,low,close,volume';
export const HOUR = 3_600_000;
export const START = Date.UTC(2022, 0, 3, 14);
export const NOW = Date.UTC(2026, 0, 1);
/** In the future for every reader of this table, with a clock of the test or a real one. */
const FUTURE = Date.UTC(2100, 0, 1);

/** A correct row of hourly candles; `at` 0 stands in line 2. */
export const row = (at: number): string => `${START + at * HOUR},100,110,90,105,12.5`;
export const file = (...lines: string[]): string => [HEADER, ...lines].join('\n');

/** `cell` replaces one cell of line 3. */
const withCell = (column: string, cell: string): string => {
  const at = HEADER.split(',').indexOf(column);
  const cells = row(1).split(',');
  cells[at] = cell;
  return file(row(0), cells.join(','), row(2));
};

/** Rejected files: what is wrong, the file, and the first message. */
export const badFiles: [what: string, text: string, message: string][] = [
  ['nothing in it', '', 'Line 1: the file is empty'],
  ['only blank lines', '\n \n', 'Line 1: the file is empty'],
  [
    'no names of columns',
    `${START},1,2,3,4\n${START + HOUR},1,2,3,4`,
    'Line 1: column names are missing. Use time, open, high, low, close, volume in the first line, in any order',
  ],
  [
    'one column missing',
    `time,open,high,low,close\n${START},100,110,90,105`,
    'Line 1: the column "volume" is missing. Add it: orders fill, and volume votes count, only with volume',
  ],
  [
    'several columns missing',
    'time,open,close\n1,2,3',
    'Line 1: the columns "high", "low", "volume" are missing. Use time, open, high, low, close, volume',
  ],
  ['a column twice', `${HEADER},close\n1,2,3,4,5,6,7`, 'Line 1: duplicate column "close"'],
  ['only names of columns', HEADER, 'Line 1: add at least two candles below the column names'],
  ['one candle', file(row(0)), 'Line 1: add at least two candles below the column names'],
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
  ['a quote that is not closed', file(row(0), `${START + HOUR},"100,110,90,105,1`), 'Line 3: close the quotation mark'],
  [
    'text after a quote',
    file(row(0), `${START + HOUR},"100"x,110,90,105,1`),
    'Line 3: remove the text after the quoted cell "100"',
  ],
  ['an empty price', withCell('close', ''), 'Line 3, column close: the cell is empty'],
  ['an empty time', withCell('time', ''), 'Line 3, column time: the cell is empty'],
  ['words for a price', withCell('open', 'n/a'), 'Line 3, column open: "n/a" is not a number; write it like 1234.56'],
  ['NaN', withCell('low', 'NaN'), 'Line 3, column low: "NaN" is not a number; write it like 1234.56'],
  ['Infinity', withCell('high', 'Infinity'), 'Line 3, column high: "Infinity" is not a number; write it like 1234.56'],
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
    'a number that starts with a point',
    withCell('open', '.5'),
    'Line 3, column open: ".5" is not a number; write it like 1234.56',
  ],
  ['a number beyond f64', withCell('high', '1e400'), 'Line 3, column high: "1e400" is too large for a number'],
  [
    'a formula',
    withCell('close', '=SUM(B2:B9)'),
    'Line 3, column close: "=SUM(B2:B9)" is a formula; use plain numbers',
  ],
  ['a formula with a plus', withCell('open', '+1+1'), 'Line 3, column open: "+1+1" is a formula; use plain numbers'],
  [
    'a formula with an at sign',
    withCell('volume', '@now'),
    'Line 3, column volume: "@now" is a formula; use plain numbers',
  ],
  ['a formula with a minus', withCell('low', '-cmd'), 'Line 3, column low: "-cmd" is a formula; use plain numbers'],
  [
    'a formula for a time',
    withCell('time', '=NOW()'),
    'Line 3, column time: "=NOW()" is a formula; write epoch milliseconds, epoch seconds or ISO like 2026-01-03T14:00:00Z',
  ],
  ['a negative price', withCell('low', '-5'), 'Line 3, column low: -5 is no price; use a number above 0'],
  ['a price of nothing', withCell('open', '0'), 'Line 3, column open: 0 is no price; use a number above 0'],
  ['a negative volume', withCell('volume', '-0.5'), 'Line 3, column volume: -0.5 is no volume; use 0 or more'],
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
    'Line 3, column time: epoch microseconds, but the file starts with epoch milliseconds',
  ],
  [
    'a counter for a time',
    withCell('time', '2'),
    'Line 3, column time: "2" is no epoch of a candle; write epoch milliseconds, epoch seconds or ISO like 2026-01-03T14:00:00Z',
  ],
  [
    'two units of time',
    withCell('time', String((START + HOUR) / 1000)),
    'Line 3, column time: epoch seconds, but the file starts with epoch milliseconds',
  ],
  [
    'a time in the future',
    withCell('time', String(FUTURE)),
    'Line 3, column time: "2100-01-01 00:00 UTC" is in the future',
  ],
  ['a candle twice', file(row(0), row(1), row(1)), 'Line 4, column time: 2022-01-03 15:00 UTC repeats line 3'],
  [
    'candles out of order',
    file(row(0), row(2), row(1)),
    'Line 4, column time: 2022-01-03 15:00 UTC is before line 3; sort candles oldest first',
  ],
  [
    'a candle off the grid',
    file(row(0), row(1), `${START + 2 * HOUR + 420_000},100,110,90,105,1`, row(3)),
    'Line 4, column time: 2022-01-03 16:07 UTC is 1 h 7 min after the previous line; expected 1h steps',
  ],
  [
    'an interval that is not known',
    file(row(0), `${START + 7 * 60_000},100,110,90,105,1`, `${START + 14 * 60_000},100,110,90,105,1`),
    'Line 3, column time: the candles are 7m apart; use 1m, 5m, 15m, 1h, 4h, 1d',
  ],
];

const bytesOf = (text: string): number[] => [...new TextEncoder().encode(text)];

/** Files whose bytes are rejected before a line is read. */
export const badBytes: [what: string, bytes: Uint8Array<ArrayBuffer>, message: string][] = [
  ['no bytes', new Uint8Array(), 'the file is empty'],
  ['text of an old encoding', Uint8Array.from([...bytesOf(`${HEADER}\n`), 0xff, 0xe9]), 'save the file as CSV UTF-8'],
  [
    'a spreadsheet',
    Uint8Array.from(bytesOf('PK\u0003\u0004\0\0')),
    'the ZIP file is damaged; download it again, or save the spreadsheet as CSV UTF-8',
  ],
  ['bytes of zero', Uint8Array.from(bytesOf('time\0')), 'save the file as text: CSV UTF-8'],
];
