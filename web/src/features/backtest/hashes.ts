import type { BacktestHashes } from '@sextant/workers/src/protocol/backtest.ts';
import { WordedError } from '../../api/failure.ts';

const UNEXPECTED = 'Unexpected response format from backtest';
export const hashNames = ['engine', 'data', 'params', 'result'] as const;

interface HashRow {
  name: (typeof hashNames)[number];
  browser: string;
  server: string;
  isEqual: boolean;
}

export interface Verification {
  rows: HashRow[];
  isEqual: boolean;
  /** Why one of the two ran without data the other may have had. */
  problem: string | null;
}

export class UnexpectedResponse extends WordedError {
  constructor() {
    super(UNEXPECTED);
    this.name = 'UnexpectedResponse';
  }
}

/** What a differing hash means. */
export const differenceWords: Record<(typeof hashNames)[number], string> = {
  engine: 'the engine version differs',
  data: 'the candles, mark prices or fundings differ',
  params: 'the parameters, costs or scored window differ',
  result: 'the result differs',
};

/** The names of the hashes that differ, causes before effects. */
export const differentHashes = (a: BacktestHashes, b: BacktestHashes): (typeof hashNames)[number][] =>
  hashNames.filter((name) => a[name] !== b[name]);

const resultKeys = ['pnl', 'winRate', 'trades', 'maxDrawdown', 'bestParams'];

/**
 * The hashes of a response in one of its two shapes: the figures themselves, or the same inside `best`. @throws UnexpectedResponse otherwise
 */
export function hashesOf(response: unknown): BacktestHashes {
  const outer = asRecord(response);
  const body = asRecord(outer?.['best']) ?? outer;
  const hashes = asRecord(body?.['hashes']) ?? asRecord(outer?.['hashes']);
  const isResult = body !== undefined && resultKeys.every((key) => key in body);
  if (!isResult || hashes === undefined || !hashNames.every((name) => typeof hashes[name] === 'string'))
    throw new UnexpectedResponse();
  return hashes as unknown as BacktestHashes;
}

export function compareHashes(
  browser: BacktestHashes,
  server: BacktestHashes,
  problem: string | null = null,
): Verification {
  const rows = hashNames.map((name) => ({
    name,
    browser: browser[name],
    server: server[name],
    isEqual: browser[name] === server[name],
  }));
  return { rows, isEqual: rows.every((row) => row.isEqual), problem };
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}
