import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { PLAIN_RULES_LENGTH } from '@sextant/engine-as/abi/records.ts';
import { decidingParameters, type WeighedVotes } from '@sextant/engine-as/abi/voteParameters.ts';
import { candleWindow, fundingWithin } from '../candles/candleWindow.ts';
import type { BacktestHashes, BacktestInput, Costs } from '../protocol/backtest.ts';
import { candleFields, indexFrom } from '../candles/candleColumns.ts';
import { tierRows, weightTenths } from './rules.ts';

/**
 * Canonical bytes of everything that is hashed: sections of f64 in little-endian order, each led by its length as one f64 (-1 when the
 * section is absent), NaN in its one canonical form (its payload may differ between machines).
 *
 * data    time, open, high, low, close, volume; time, rate, mark of the fundings within the candles; mark open, high, low; six absent sections
 * params  rules record (engine-as/abi/records.ts: parameters, costs, scored count; the fields every backtest has); the ATR period;
 *         vote weights in tenths (every vote of abi/votes.ts in order); tier rows; the model of liquidity, the largest order and other fill
 *         rules, when there are any
 * result  summary struct; trades, record by record; equity; score (scored candles); the finer candles that settled exits (six columns),
 *         when there are any
 *
 * Finer candles are not in `data`: which of them a run requests follows from its parameters, and sets that are tried on the same candles
 * must name the same data. Those that settled nothing change no figure.
 */
export type Section = ArrayLike<number> | undefined;

/** True where the platform stores numbers in the byte order of the hash (every platform Node and browsers run on today). */
const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** SHA-256 piece by piece; `hex` ends it. */
export interface Hasher {
  update: (bytes: Uint8Array) => unknown;
  hex: () => string;
}
export type CreateHash = () => Hasher;

/** For browsers without `crypto.subtle`, and where a result cannot wait for it. */
export const portableHash: CreateHash = () => {
  const hash = sha256.create();
  return { update: (bytes) => hash.update(bytes), hex: () => bytesToHex(hash.digest()) };
};

interface NodeHash {
  update: (bytes: Uint8Array) => unknown;
  digest: (encoding: 'hex') => string;
}
interface NodeProcess {
  getBuiltinModule?: (id: 'node:crypto') => { createHash: (name: 'sha256') => NodeHash };
}

/** The SHA-256 of Node, some ten times as fast; undefined in a browser. Not imported, because pages load this file too. */
const nodeCrypto = (globalThis as { process?: NodeProcess }).process?.getBuiltinModule?.('node:crypto');

export const platformHash: CreateHash =
  nodeCrypto === undefined
    ? portableHash
    : () => {
        const hash = nodeCrypto.createHash('sha256');
        return { update: (bytes) => hash.update(bytes), hex: () => hash.digest('hex') };
      };

export function hashSections(sections: readonly Section[], createHash: CreateHash = platformHash): string {
  const hash = createHash();
  for (const section of sections) {
    hash.update(bytesOf(Float64Array.of(section === undefined ? -1 : section.length)));
    if (section !== undefined) hash.update(canonicalBytes(section));
  }
  return hash.hex();
}

/** Most columns have their canonical form as they stand: those are not copied. */
function canonicalBytes(section: ArrayLike<number>): Uint8Array {
  const isCanonical = isLittleEndian && section instanceof Float64Array && !holdsNaN(section);
  if (!isCanonical) return bytesOf(new Float64Array(section));
  return new Uint8Array(section.buffer, section.byteOffset, section.byteLength);
}

/**
 * A sum of products with zero is NaN where a value is NaN or infinite. Four sums, because each addition waits for the one before; `some`
 * or a branch for every value takes longer than the hash.
 */
function holdsNaN(values: Float64Array): boolean {
  const { length } = values;
  const whole = length - (length % 4);
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < whole; i += 4) {
    a += (values[i] ?? 0) * 0;
    b += (values[i + 1] ?? 0) * 0;
    c += (values[i + 2] ?? 0) * 0;
    d += (values[i + 3] ?? 0) * 0;
  }
  for (let i = whole; i < length; i++) a += (values[i] ?? 0) * 0;
  return Number.isNaN(a + b + c + d) && values.some((value) => Number.isNaN(value));
}

/** Overwrites `values`, which the caller owns. */
function bytesOf(values: Float64Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const bits = new BigUint64Array(values.buffer);
  for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) bits[i] = 0x7ff8000000000000n;
  if (!isLittleEndian) {
    const view = new DataView(values.buffer);
    values.forEach((value, i) => view.setFloat64(8 * i, value, true));
  }
  return new Uint8Array(values.buffer);
}

/** The SHA-256 of `crypto.subtle`: the platform's own, on a thread of its own. Browsers have it on https and localhost only. */
export type Digest = (bytes: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>;

async function digestSections(sections: readonly Section[], digest: Digest): Promise<string> {
  const parts = sections.flatMap((section) => (section === undefined ? [[-1]] : [[section.length], section]));
  const values = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    values.set(part, end);
    end += part.length;
  }
  return bytesToHex(new Uint8Array(await digest(bytesOf(values))));
}

/** What the hashes of a run are made of. */
export interface RunSections {
  engine: string;
  /** The hash itself where it is known. */
  data: DataSections | string;
  params: readonly Section[];
  result: readonly Section[];
}

export interface DataSections {
  market: (Float64Array | undefined)[];
  /** Longer series of a strategy: hashed after the hash of `market`. */
  context?: Section[];
}

export const hashRun = ({ engine, data, params, result }: RunSections): BacktestHashes => ({
  engine,
  data: typeof data === 'string' ? data : hashData(data),
  params: hashSections(params),
  result: hashSections(result),
});

/** The same hashes by `digest`. */
export async function digestRun(
  { engine, data, params, result }: RunSections,
  digest: Digest,
): Promise<BacktestHashes> {
  const hashes = await Promise.all([
    typeof data === 'string' ? data : digestData(data, digest),
    digestSections(params, digest),
    digestSections(result, digest),
  ]);
  return { engine, data: hashes[0], params: hashes[1], result: hashes[2] };
}

interface HashedMarket {
  sections: DataSections['market'];
  hash: string;
}

/** Larger data is hashed each time, because the cache stores a copy. */
const CACHED_VALUES_MAX = 200_000;
let stored: HashedMarket | undefined;

/**
 * Returns the hash of the previous run when every bit of the data is equal: runs that differ only in a parameter, as a slider
 * makes them, then take a twentieth of the time here. The comparison uses a private copy.
 */
export function hashData({ market, context }: DataSections): string {
  return withContext(knownHash(market) ?? keepHash(copyOf(market), hashSections(market)), context);
}

/** The same hash without the cache: of one series among many, which the cache would copy for nothing. */
export function hashSeries({ market, context }: DataSections): string {
  return withContext(hashSections(market), context);
}

const withContext = (base: string, context: DataSections['context']): string =>
  context === undefined ? base : hashSections([codePointsOf(base), ...context]);

async function digestData({ market, context }: DataSections, digest: Digest): Promise<string> {
  // Copied before the wait: the caller may change the columns meanwhile.
  const base = knownHash(market) ?? keepHash(copyOf(market), await digestSections(market, digest));
  return context === undefined ? base : digestSections([codePointsOf(base), ...context], digest);
}

function knownHash(market: DataSections['market']): string | undefined {
  return stored !== undefined && isSame(stored.sections, market) ? stored.hash : undefined;
}

function copyOf(market: DataSections['market']): DataSections['market'] | undefined {
  const size = market.reduce((sum, section) => sum + (section?.length ?? 0), 0);
  return size > CACHED_VALUES_MAX ? undefined : market.map((section) => section?.slice());
}

function keepHash(copy: DataSections['market'] | undefined, hash: string): string {
  stored = copy && { sections: copy, hash };
  return hash;
}

function isSame(before: DataSections['market'], sections: DataSections['market']): boolean {
  return sections.every((section, k) => isSameSection(before[k], section));
}

function isSameSection(a: Float64Array | undefined, b: Float64Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.length !== b.length) return false;
  const left = bitsOf(a);
  const right = bitsOf(b);
  for (let i = 0; i < left.length; i++) if (left[i] !== right[i]) return false;
  return true;
}

const bitsOf = ({ buffer, byteOffset, length }: Float64Array): Int32Array =>
  new Int32Array(buffer, byteOffset, 2 * length);

export function dataSections({ candles, costs, markPrices }: Omit<BacktestInput, 'params'>): DataSections {
  // Those outside change no figure.
  const funding = costs.funding && fundingWithin(costs.funding, candleWindow(candles.time));
  const market = [
    ...candleFields.map((name) => candles[name]),
    funding?.time,
    funding?.rate,
    funding?.mark,
    markPrices?.open,
    markPrices?.high,
    markPrices?.low,
    // Finer candles had these six sections when they were data: without them the hash of older runs stays the same.
    ...candleFields.map(() => undefined),
  ];
  return { market };
}

/** Text as numbers, so that names take part in a hash of numbers. */
export const codePointsOf = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0) ?? 0);

/**
 * Name and value of every parameter that affects a vote; empty at the defaults, so that their hash equals that of versions without
 * parameters.
 */
export function parameterSections(votes: WeighedVotes): number[][] {
  const deciding = decidingParameters(votes) ?? {};
  return Object.entries(deciding).flatMap(([vote, own]) =>
    Object.entries(own).flatMap(([name, value]) => [codePointsOf(`${vote}.${name}`), [value]]),
  );
}

/** A candle in which the order of exits was open, with the number of finer candles that were read; -1 for none. */
export interface RequestedBar {
  bar: number;
  partCount: number;
}

/** @param requested oldest first */
export function resultSections(
  sections: readonly Section[],
  { candles, fineCandles }: Pick<BacktestInput, 'candles' | 'fineCandles'>,
  requested: readonly RequestedBar[],
): readonly Section[] {
  const settled = requested.filter(({ partCount }) => partCount > 0);
  if (fineCandles === undefined || settled.length === 0) return sections;
  const rows = settled.flatMap(({ bar, partCount }) => {
    const first = indexFrom(fineCandles.time, candles.time[bar] ?? NaN);
    return Array.from({ length: partCount }, (_, part) => first + part);
  });
  const columns = candleFields.map((name) => Float64Array.from(rows, (row) => fineCandles[name][row] ?? NaN));
  return [...sections, ...columns];
}

/** The model of liquidity where a run has one: without it the hash is that of before there was one. */
const liquiditySections = ({ impactCoefficient = 0, turnoverShareMax = 0 }: Costs): number[][] =>
  impactCoefficient > 0 || turnoverShareMax > 0
    ? [codePointsOf('liquidity'), [impactCoefficient, turnoverShareMax]]
    : [];

/** Other fill rules than those of every run before there was a choice. */
const fillRuleSections = ({ entryCandleExits = true, lastClose = 'order' }: Costs): number[][] =>
  entryCandleExits && lastClose === 'order'
    ? []
    : [codePointsOf('fills'), [entryCandleExits ? 1 : 0, lastClose === 'mark' ? 1 : 0]];

/** The largest order cuts entries. Without one the hash is that of before there was one. */
const largestOrderSections = ({ maxQuantity = 0 }: Costs): number[][] =>
  maxQuantity > 0 ? [codePointsOf('largest order'), [maxQuantity]] : [];

/** Models that a run has beside the records: each is hashed only where it differs from none. */
export const modelSections = (costs: Costs): number[][] => [
  ...liquiditySections(costs),
  ...largestOrderSections(costs),
  ...fillRuleSections(costs),
];

export const paramsSections = ({ params, costs }: BacktestInput, rules: Float64Array): Section[] => [
  rules.subarray(0, PLAIN_RULES_LENGTH),
  [params.trailing.atrPeriod ?? 0],
  weightTenths(params.weights),
  tierRows(costs.tiers ?? []),
  ...modelSections(costs),
];
