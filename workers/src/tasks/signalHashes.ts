import type { Candles } from '../protocol.ts';
import type { EnsembleTimeframe } from '../protocolEnsemble.ts';
import type { SignalsInput } from '../protocolSignals.ts';
import { ensembleVoteIds } from './ensemble/validate.ts';
import { type CreateHash, hashSections } from './hashes.ts';
import { candleFields } from './validateCandles.ts';

/**
 * What a signal was made of, as SHA-256: `data` over the hashes of its intervals' candles (six columns each), `params` over rules
 * and intervals. The browser computes the same from the same candles.
 */
export const signalHashes = (
  timeframes: readonly EnsembleTimeframe[],
  rules: SignalsInput['rules'],
  hashCandles: (candles: Candles) => string = candlesHash(),
  createHash?: CreateHash,
): { data: string; params: string } => itemHashes(rules, hashCandles, createHash)(timeframes);

/** The same for many signals under one set of rules: what they have in common is hashed once. */
export function itemHashes(
  rules: SignalsInput['rules'],
  hashCandles: (candles: Candles) => string,
  createHash?: CreateHash,
): (timeframes: readonly EnsembleTimeframe[]) => { data: string; params: string } {
  const known = new Map<string, string>();
  return (timeframes) => {
    const intervals = timeframes.map(({ interval, stepMs, weight }) => `${interval} ${stepMs} ${weight}`).join();
    const params = known.get(intervals) ?? paramsHash(rules, timeframes, createHash);
    known.set(intervals, params);
    const hashes = timeframes.map(({ candles }) => codes(hashCandles(candles)));
    return { data: hashSections(hashes, createHash), params };
  };
}

function paramsHash(
  rules: SignalsInput['rules'],
  timeframes: readonly EnsembleTimeframe[],
  createHash?: CreateHash,
): string {
  const { levels, weights, tuning = {}, news, threshold, calibration = [], redundancyCount = 0 } = rules;
  return hashSections(
    [
      ensembleVoteIds.map((id) => weights[id] ?? 0),
      ensembleVoteIds.map((id) => tuning[id] ?? 1),
      [threshold, news ?? Number.NaN, redundancyCount],
      [levels.mode === 'atr' ? 0 : 1, levels.stopAtr, levels.targetAtr, levels.stopFraction, levels.targetFraction],
      calibration.flat(),
      ...timeframes.flatMap(({ interval, stepMs, weight }) => [codes(interval), [stepMs, weight]]),
    ],
    createHash,
  );
}

/** Hashes each series once, however many signals look at it. A host with a faster SHA-256 brings its own. */
export function candlesHash(createHash?: CreateHash): (candles: Candles) => string {
  const known = new WeakMap<Candles, string>();
  return (candles) => {
    const before = known.get(candles);
    if (before !== undefined) return before;
    const hash = hashSections(
      candleFields.map((name) => candles[name]),
      createHash,
    );
    known.set(candles, hash);
    return hash;
  };
}

/** Text as numbers, so that names take part in a hash of numbers. */
const codes = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0) ?? 0);
