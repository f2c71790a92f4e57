import type { Candles } from '../protocol/backtest.ts';
import type { SignalItem, SignalsInput } from '../protocol/signals.ts';
import { ensembleVoteIds } from '../core/ensembleVotes.ts';
import { codePointsOf, type CreateHash, hashSections, parameterSections, type Section } from './hashes.ts';
import { candleFields } from '../candles/candleColumns.ts';

/** What of an item decides its signal. */
type HashedItem = Pick<SignalItem, 'timeframes' | 'news' | 'ruleInputs'>;

/**
 * SHA-256 of the inputs of a signal: `data` over the hashes of its intervals' candles (six columns each) and what own rules read beside
 * them, `params` over rules, intervals and the news vote. The browser computes the same from the same candles.
 */
export const signalHashes = (
  item: HashedItem,
  rules: SignalsInput['rules'],
  hashCandles: (candles: Candles) => string = candlesHash(),
  createHash?: CreateHash,
): { data: string; params: string } => itemHashes(rules, hashCandles, createHash)(item);

/** The same for many signals under one set of rules; shared parts are hashed once. */
export function itemHashes(
  rules: SignalsInput['rules'],
  hashCandles: (candles: Candles) => string,
  createHash?: CreateHash,
): (item: HashedItem) => { data: string; params: string } {
  const known = new Map<string, string>();
  return (item) => {
    const intervals = item.timeframes.map(({ interval, stepMs, weight }) => `${interval} ${stepMs} ${weight}`);
    const key = `${intervals.join()} ${item.news}`;
    const params = known.get(key) ?? paramsHash(rules, item, createHash);
    known.set(key, params);
    const hashes = item.timeframes.map(({ candles }) => codePointsOf(hashCandles(candles)));
    return { data: hashSections([...hashes, ...inputSections(item)], createHash), params };
  };
}

function inputSections({ ruleInputs }: HashedItem): Section[] {
  if (ruleInputs === undefined) return [];
  const { funding, markPrices } = ruleInputs;
  return [funding?.time ?? [], funding?.rate ?? [], markPrices?.open ?? []];
}

function paramsHash(rules: SignalsInput['rules'], { timeframes, news }: HashedItem, createHash?: CreateHash): string {
  const { levels, weights, parameters, tuning = {}, threshold, calibration = [], redundancyCount = 0, version } = rules;
  return hashSections(
    [
      ensembleVoteIds.map((id) => weights[id] ?? 0),
      ensembleVoteIds.map((id) => tuning[id] ?? 1),
      [threshold, news ?? Number.NaN, redundancyCount],
      [levels.mode === 'atr' ? 0 : 1, levels.stopAtr, levels.targetAtr, levels.stopFraction, levels.targetFraction],
      calibration.flat(),
      ...timeframes.flatMap(({ interval, stepMs, weight }) => [codePointsOf(interval), [stepMs, weight]]),
      ...parameterSections({ weights, parameters }),
      ...(version === undefined ? [] : [codePointsOf(version)]),
    ],
    createHash,
  );
}

/** Hashes each series once for all its signals. A host may pass a faster SHA-256. */
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
