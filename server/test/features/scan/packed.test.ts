import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScanResult } from '../../../src/features/scan/contract.ts';
import { fromColumns, toColumns } from '../../../src/features/scan/packed/columns.ts';
import { packContributions, unpackContributions } from '../../../src/features/scan/packed/contributions.ts';
import {
  packScan,
  type RecordedFields,
  type StoredCandidate,
  unpackScan,
} from '../../../src/features/scan/packed/packScan.ts';

/** What JSON makes of a value: the reference of a round trip. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value));

describe('columns', () => {
  it('NODE-020 give back any records, with absent fields, nulls and other shapes', () => {
    const record = fc.record(
      {
        a: fc.oneof(number, fc.constant(null)),
        b: fc.constant('same'),
        c: fc.record({ d: fc.string(), e: fc.array(fc.integer()) }, { requiredKeys: ['d'] }),
        f: fc.oneof(fc.constant(null), fc.record({ g: fc.boolean() })),
      },
      { requiredKeys: ['b'] },
    );
    fc.assert(
      fc.property(fc.array(record, { maxLength: 12 }), (rows) => {
        expect(fromColumns(asJson(toColumns(rows)) as ReturnType<typeof toColumns>)).toEqual(asJson(rows));
      }),
    );
  });

  it('NODE-020 write a name and a value that all records share once', () => {
    const text = JSON.stringify(toColumns([1, 2, 3].map((price) => ({ price, exchange: 'binance' }))));
    expect(text).toBe('{"fields":{"price":{"values":[1,2,3]},"exchange":{"same":"binance","count":3}}}');
  });

  it('NODE-020 have the bytes of numbers with many digits, and of ids', () => {
    const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-300 }), { minLength: 1 });
    fc.assert(
      fc.property(numbers, fc.array(fc.uuid(), { minLength: 2 }), (values, ids) => {
        for (const rows of [values, ids]) {
          const packed = toColumns(rows);
          expect(fromColumns(asJson(packed) as typeof packed)).toEqual(rows);
        }
      }),
    );
    // 1/3 is 0x3fd5555555555555, 2/3 is 0x3fe5555555555555: plane after plane, from the lowest byte.
    const planes = Buffer.from('55'.repeat(12) + 'd5e5' + '3f3f', 'hex');
    expect(toColumns([1 / 3, 2 / 3])).toEqual({ numbers: planes.toString('base64') });
    const id = '00112233-4455-6677-8899-aabbccddeeff';
    const other = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
    const bytes = Buffer.from('00112233445566778899aabbccddeeff' + 'f'.repeat(32), 'hex');
    expect(toColumns([id, other])).toEqual({ uuids: bytes.toString('base64') });
    expect(toColumns([id, 'Other'])).toEqual({ values: [id, 'Other'] });
  });
});

type Contribution = ScanResult['contributions'][number];
const contribution = (opinion: number, value: number, more: Partial<Contribution> = {}): Contribution => ({
  vote: 'rsi',
  interval: '1h',
  is_live: true,
  opinion,
  contribution: value,
  ...more,
});

describe('contributions', () => {
  it('NODE-020 of one panel are a sign each: +0.1 and -0.1 have the share 0.1', () => {
    const rows = [[contribution(1, 0.1)], [contribution(-1, -0.1)], [contribution(0, 0)]];
    expect(packContributions(rows)).toEqual({
      names: [['rsi', '1h']],
      shares: [0.1],
      panels: [{ votes: [0], shares: [0], closed: [] }],
      rows: [0, 0, 0],
      opinions: '+-0',
    });
  });

  it('NODE-020 of scans of before panels had indexes are read', () => {
    const panels: [vote: string, interval: string, isLive: boolean][][] = [
      [['rsi', '1h', true]],
      [['macd', '4h', false]],
    ];
    const packed = {
      panels: panels.map((votes) => ({ votes, shares: [0.1] })),
      rows: [0, 1, 0],
      opinions: '+-0',
    };
    expect(unpackContributions(packed)).toEqual([
      [contribution(1, 0.1)],
      [contribution(-1, -0.1, { vote: 'macd', interval: '4h', is_live: false })],
      [contribution(0, 0)],
    ]);
  });

  it('NODE-020 that no share explains are stored as they are', () => {
    const rows = [
      [contribution(1, 0.1)],
      [contribution(1, 0.2)],
      [contribution(0, 0.3)],
      [contribution(2, 0.4)],
      [],
      [contribution(-1, -0.2), contribution(1, 0.7, { interval: '4h' })],
    ];
    expect(unpackContributions(packContributions(rows))).toEqual(rows);
  });

  it('NODE-020 come back whatever they are', () => {
    const any = fc.record({
      vote: fc.constantFrom('rsi', 'macd'),
      interval: fc.constantFrom('1h', '4h'),
      is_live: fc.boolean(),
      opinion: fc.constantFrom(-1, 0, 1, 2),
      contribution: fc.oneof(fc.constantFrom(0, 0.1, -0.1, 0.2), number),
    });
    fc.assert(
      fc.property(fc.array(fc.array(any, { maxLength: 4 }), { maxLength: 10 }), (rows) => {
        expect(unpackContributions(packContributions(rows))).toEqual(rows);
      }),
      // A share of 0 that an opinion of -1 made -0 once.
      { examples: [[[[contribution(-1, 0)]]]] },
    );
  });
});

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom('0', '7', 'a', 'f'), minLength: length, maxLength: length });
const hashes = fc.record({ engine: hex(64), data: hex(64), params: hex(64) });

const anyResult = fc.record({
  signal_id: fc.uuid(),
  symbol: fc.constantFrom('BTCUSDT', 'ETHUSDT', 'XRPUSDT'),
  interval: fc.constantFrom('15m', '1h', '4h'),
  exchange: fc.constant('binance' as const),
  direction: fc.constantFrom('LONG' as const, 'SHORT' as const),
  score: number,
  confidence: number,
  raw_confidence: number,
  price: number,
  stopLoss: number,
  takeProfit: number,
  horizon_min: number,
  riskLabel: fc.constantFrom('LOW' as const, 'HIGH' as const),
  candle_close_at: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  hashes,
  position: fc.record({ qty: number, message: fc.oneof(fc.constant(null), fc.string()) }),
  outcome: fc.constantFrom('ELIGIBLE' as const, 'NO_MATCH' as const),
  filtered_by: fc.oneof(fc.constant(null), fc.constant('same_symbol')),
  contributions: fc.constant([contribution(1, 0.25)]),
}) as unknown as fc.Arbitrary<ScanResult>;

const recordOf = (result: ScanResult): RecordedFields => {
  const { exchange, symbol, interval, candle_close_at, direction, score, raw_confidence, price, hashes: of } = result;
  const { stopLoss, takeProfit, horizon_min, riskLabel } = result;
  const levels = { price, stopLoss, takeProfit, horizon_min, riskLabel };
  return { exchange, symbol, interval, candle_close_at, direction, score, raw_confidence, hashes: of, ...levels };
};

describe('the details of a scan', () => {
  it('NODE-020 come back with the fields that only the record has', async () => {
    const unique = fc.uniqueArray(anyResult, { selector: ({ signal_id: id }) => id, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(unique, async (all) => {
        const packed = await packScan({ all, missing: ['SOLUSDT 1h'] }, []);
        const recorded = new Map(all.map((result) => [result.signal_id, recordOf(result)]));
        const { signalIds, resultsWith } = await unpackScan(packed);
        expect(signalIds).toEqual(all.map(({ signal_id: id }) => id));
        expect(resultsWith(recorded)).toEqual({ all: asJson(all), missing: ['SOLUSDT 1h'] });
      }),
      { numRuns: 40 },
    );
  });

  it('NODE-021 list candidates by confidence, then symbol and interval, those of results by reference', async () => {
    const [result] = fc.sample(anyResult, { numRuns: 1, seed: 7 });
    const known = { ...result!, symbol: 'ETHUSDT', interval: '1h', confidence: 0.8 };
    const none = { filteredBy: null, signalId: null } as const;
    const candidates: StoredCandidate[] = [
      {
        symbol: 'XRPUSDT',
        interval: '*',
        outcome: 'NO_MATCH',
        confidence: null,
        filteredBy: 'blacklist',
        signalId: null,
      },
      { symbol: 'BTCUSDT', interval: '4h', outcome: 'NEUTRAL', confidence: 0.2, ...none },
      { symbol: 'BTCUSDT', interval: '15m', outcome: 'NEUTRAL', confidence: 0.2, ...none },
      {
        symbol: 'ETHUSDT',
        interval: '1h',
        outcome: 'ELIGIBLE',
        confidence: 0.8,
        filteredBy: null,
        signalId: known.signal_id,
      },
    ];
    const { candidatesWith } = await unpackScan(await packScan({ all: [known], missing: [] }, candidates));
    const rows = candidatesWith(new Map([[known.signal_id, recordOf(known)]]));
    expect(rows).toEqual(
      [candidates[3], candidates[2], candidates[1], candidates[0]].map((each) => {
        const { filteredBy, signalId, ...fields } = each!;
        return { ...fields, filtered_by: filteredBy, signal_id: signalId };
      }),
    );
  });

  it('NODE-021 list candidates without unpacking contributions', async () => {
    const [result] = fc.sample(anyResult, { numRuns: 1, seed: 7 });
    const { signal_id: signalId, symbol, interval, confidence } = result!;
    const candidate = { symbol, interval, outcome: 'ELIGIBLE', confidence, filteredBy: null, signalId } as const;
    const packed = await packScan({ all: [result!], missing: [] }, [candidate]);
    const document = JSON.parse(brotliDecompressSync(packed).toString()) as object;
    // Contributions that cannot be unpacked.
    const broken = brotliCompressSync(JSON.stringify({ ...document, contributions: null }));
    const { candidatesWith, resultsWith } = await unpackScan(broken);
    const recorded = new Map([[signalId, recordOf(result!)]]);
    expect(candidatesWith(recorded)).toEqual([
      { symbol, interval, outcome: 'ELIGIBLE', confidence, filtered_by: null, signal_id: signalId },
    ]);
    expect(() => resultsWith(recorded)).toThrow();
    expect(() => candidatesWith(new Map())).toThrow(/is not in the record/);
  });

  it('NODE-020 fail aloud when the record lacks a signal', async () => {
    const [result] = fc.sample(anyResult, { numRuns: 1, seed: 7 });
    const { resultsWith } = await unpackScan(await packScan({ all: [result!], missing: [] }, []));
    expect(() => resultsWith(new Map())).toThrow(/is not in the record/);
  });
});
