import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { BacktestInput } from '../protocol.ts';
import { candleFields } from './validateCandles.ts';
import { tierRows, weightTenths } from './rules.ts';

/**
 * Canonical bytes of everything that is hashed: sections of f64 in little-endian order, each led by its length as one f64
 * (-1 when the section is absent), NaN in its one canonical form (its payload may differ between machines).
 *
 * data    time, open, high, low, close, volume; funding time, rate, mark; mark open, high, low; finer candles (six columns)
 * params  rules struct (engine-as/abi/backtest.ts: parameters, costs, scored count, target first 0); the ATR period;
 *         vote weights in tenths (every vote of abi/votes.ts in order); tier rows
 * result  summary struct; trades, record by record; equity; score (scored candles)
 */
type Section = ArrayLike<number> | undefined;

/** True where the platform stores numbers as the hash wants them (every platform Node and browsers run on today). */
const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

export function hashSections(sections: readonly Section[]): string {
  const hash = sha256.create();
  for (const section of sections) {
    hash.update(bytesOf(Float64Array.of(section === undefined ? -1 : section.length)));
    if (section !== undefined) hash.update(bytesOf(new Float64Array(section)));
  }
  return bytesToHex(hash.digest());
}

/** Overwrites `values`, which the caller owns. */
function bytesOf(values: Float64Array<ArrayBuffer>): Uint8Array {
  const bits = new BigUint64Array(values.buffer);
  for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) bits[i] = 0x7ff8000000000000n;
  if (!isLittleEndian) {
    const view = new DataView(values.buffer);
    values.forEach((value, i) => view.setFloat64(8 * i, value, true));
  }
  return new Uint8Array(values.buffer);
}

export function hashData({ candles, costs, markPrices, fineCandles }: BacktestInput): string {
  return hashSections([
    ...candleFields.map((name) => candles[name]),
    costs.funding?.time,
    costs.funding?.rate,
    costs.funding?.mark,
    markPrices?.open,
    markPrices?.high,
    markPrices?.low,
    ...candleFields.map((name) => fineCandles?.[name]),
  ]);
}

export function hashParams({ params, costs }: BacktestInput, rules: Float64Array): string {
  return hashSections([
    rules,
    [params.trailing.atrPeriod ?? 0],
    weightTenths(params.weights),
    tierRows(costs.tiers ?? []),
  ]);
}
