import { describe, expect, it } from 'vitest';
import type { FileVerdict } from '../../../src/candles/file/judgeFile.ts';
import { respondToTask } from '../../../src/node/respondToTask.ts';
import { files, HOUR, START, table, zip } from './foreignFiles.ts';

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
