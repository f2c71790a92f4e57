import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { BacktestInput } from '../../src/protocol/backtest.ts';
import { dataSections, hashData as hashDataSections, hashSections, paramsSections } from '../../src/tasks/hashes.ts';
import { rulesOf } from '../../src/tasks/rules.ts';
import { randomBacktest } from '../support/randomRuns.ts';

const hashData = (input: BacktestInput): string => hashDataSections(dataSections(input));

/** SHA-256 of f64 values written one by one, by another implementation. */
function sha256Of(values: number[]): string {
  const bytes = Buffer.alloc(8 * values.length);
  values.forEach((value, i) => bytes.writeDoubleLE(value, 8 * i));
  return createHash('sha256').update(bytes).digest('hex');
}

describe('hashSections', () => {
  it('is SHA-256 over the lengths and values as little-endian f64', () => {
    expect(hashSections([Float64Array.of(1.5, -0), undefined, []])).toBe(sha256Of([2, 1.5, -0, -1, 0]));
  });

  it('writes every NaN in one form, whatever its payload', () => {
    const odd = new Float64Array(1);
    new BigUint64Array(odd.buffer)[0] = 0xfff8000000000123n;
    expect(hashSections([odd])).toBe(hashSections([Float64Array.of(Number.NaN)]));
    const canonical = Buffer.from('000000000000f03f000000000000f87f', 'hex');
    expect(hashSections([odd])).toBe(createHash('sha256').update(canonical).digest('hex'));
  });

  it('does not change what it hashes', () => {
    const odd = new Float64Array(1);
    const bits = new BigUint64Array(odd.buffer);
    bits[0] = 0xfff8000000000123n;
    hashSections([odd]);
    expect(bits[0]).toBe(0xfff8000000000123n);
  });

  it('distinguishes 0 from -0 and one column from two', () => {
    const hashes = [hashSections([[0]]), hashSections([[-0]]), hashSections([[0], []]), hashSections([[], [0]])];
    expect(new Set(hashes).size).toBe(4);
  });
});

describe('the hash of the data', () => {
  const input = (): BacktestInput => ({ ...structuredClone(randomBacktest(9, 1)), scoredCount: 200 });
  /** As hashes.ts says, by another implementation. */
  const expected = ({ candles, costs }: BacktestInput): string => {
    const sections = [
      ...[candles.time, candles.open, candles.high, candles.low, candles.close, candles.volume],
      ...[costs.funding?.time, costs.funding?.rate, costs.funding?.mark, ...Array<undefined>(9).fill(undefined)],
    ];
    return sha256Of(sections.flatMap((section) => (section === undefined ? [-1] : [section.length, ...section])));
  };

  it('is that of the data at hand after any other: each bit counts, also when an array is changed in place', () => {
    const first = input();
    expect(hashData(first)).toBe(expected(first));
    expect(hashData(input())).toBe(expected(first));
    for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) {
      const last = first.candles[name].length - 1;
      const bits = new BigUint64Array(first.candles[name].buffer);
      bits[last] = bits[last]! ^ 1n;
      expect(hashData(first)).toBe(expected(first));
    }
    const shorter = input();
    shorter.candles.volume = shorter.candles.volume.slice(1);
    expect(hashData(shorter)).toBe(expected(shorter));
    expect(hashData(first)).toBe(expected(first));
  });

  it('distinguishes 0 from -0 and an absent section from an empty one', () => {
    const zero = input();
    zero.candles.volume[0] = 0;
    const minus = structuredClone(zero);
    minus.candles.volume[0] = -0;
    const empty = structuredClone(zero);
    empty.costs.funding = { time: new Float64Array(0), rate: new Float64Array(0) };
    delete zero.costs.funding;
    delete minus.costs.funding;
    const hashes = [zero, minus, empty].map((each) => hashData(each));
    expect(hashes).toEqual([zero, minus, empty].map(expected));
    expect(new Set(hashes).size).toBe(3);
  });
});

describe('the hashes of a backtest', () => {
  const base = (): BacktestInput => ({ ...structuredClone(randomBacktest(3, 1)), scoredCount: 200 });
  const paramsHash = (input: BacktestInput): string =>
    hashSections(paramsSections(input, rulesOf(input.params, input.costs, input.scoredCount)));

  it.each<[what: string, change: (input: BacktestInput) => void]>([
    ['a price', (input) => (input.candles.close[5]! += 1e-9)],
    ['a volume', (input) => (input.candles.volume[5]! += 1)],
    ['a funding history', (input) => (input.costs.funding = { time: Float64Array.of(1), rate: Float64Array.of(0) })],
    ['mark prices', (input) => (input.markPrices = { ...input.candles })],
  ])('of the data changes with %s, that of the parameters does not', (_, change) => {
    const input = base();
    change(input);
    expect(hashData(input)).not.toBe(hashData(base()));
    expect(paramsHash(input)).toBe(paramsHash(base()));
  });

  it.each<[what: string, change: (input: BacktestInput) => void]>([
    ['a weight', (input) => (input.params.weights['rsi'] = input.params.weights['rsi'] === 1 ? 2 : 1)],
    ['the threshold', (input) => (input.params.entryThreshold += 0.01)],
    ['the trailing mode', (input) => (input.params.trailing.enabled = !input.params.trailing.enabled)],
    ['the ATR period', (input) => (input.params.trailing.atrPeriod = 99)],
    ['a fee', (input) => (input.costs.takerFeeFraction += 0.0001)],
    ['the target first', (input) => (input.costs.sameBar = input.costs.sameBar === 'target' ? 'stop' : 'target')],
    [
      'funding left out',
      (input) => (input.costs.fundingSource = input.costs.fundingSource === 'off' ? 'history' : 'off'),
    ],
    [
      'an assumed funding',
      (input) => Object.assign(input.costs, { fundingSource: 'assumed', assumedFundingFraction: 0.0123 }),
    ],
    ['the scored window', (input) => (input.scoredCount -= 1)],
    [
      'a tier',
      (input) =>
        (input.costs.tiers = [
          { notionalFloor: 0, maintenanceMarginFraction: 0.01, maintenanceAmount: 0, leverageMax: 3 },
        ]),
    ],
  ])('of the parameters changes with %s, that of the data does not', (_, change) => {
    const input = base();
    change(input);
    expect(paramsHash(input)).not.toBe(paramsHash(base()));
    expect(hashData(input)).toBe(hashData(base()));
  });

  it('of the parameters stays the same when a rate changes that is not charged', () => {
    const input = base();
    Object.assign(input.costs, { fundingSource: 'history', assumedFundingFraction: 0.01 });
    const other = base();
    delete other.costs.fundingSource;
    expect(paramsHash(input)).toBe(paramsHash(other));
  });
});
