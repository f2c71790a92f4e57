import { HONESTY_CONFIDENCE, type HonestyId, honestyRegistry } from '@sextant/engine-as/abi/honesty.ts';
import type { HonestyFigure, HonestyVerdict } from '../../protocol/honesty.ts';

/** Inputs of a judgement; `trades` is undefined when unknown. */
export interface Evidence {
  trials: number;
  bars: number;
  trades: number | undefined;
}

type Rest = Pick<HonestyFigure, 'count' | 'window'>;

export function figure(
  id: HonestyId,
  value: number,
  says: HonestyVerdict,
  words: string,
  rest: Rest & Partial<HonestyFigure>,
): HonestyFigure {
  return { id, value, says, words, ...rest };
}

export function withheld(id: HonestyId, reason: string, rest: Rest): HonestyFigure {
  return { id, value: null, reason, says: 'neither', words: `Not shown: ${reason}.`, ...rest };
}

/**
 * Verdict of a test from its probability that luck does not explain the result: from 95 % on skill, below one half luck. In between
 * neither: a result that is not significant is no evidence of luck.
 */
export const probabilitySays = (probability: number): HonestyVerdict =>
  probability >= HONESTY_CONFIDENCE ? 'skill' : probability < 0.5 ? 'luck' : 'neither';

/** Why the registry's rule withholds a figure, or undefined when the data are enough. */
export function shortage(id: HonestyId, evidence: Evidence): string | undefined {
  const needs: { trials?: number; bars?: number; trades?: number } =
    honestyRegistry.find((entry) => entry.id === id)?.needs ?? {};
  const { trials = 0, bars = 0, trades = 0 } = needs;
  if (evidence.trials < trials) return `${plural(evidence.trials, 'set')} tried of ${trials} needed`;
  if (evidence.bars < bars) return `${plural(evidence.bars, 'bar')} of ${bars} needed`;
  if (evidence.trades !== undefined && evidence.trades < trades)
    return `${plural(evidence.trades, 'closed trade')} of ${trades} needed`;
  return undefined;
}

/** How a set came to be shown on the scored candles. */
export interface Sight {
  /** False when it was chosen on them: a good result there was selected and confirms nothing. */
  isUnseen: boolean;
  /** Results on them that were viewed, this one included: the best of many is good by luck. */
  lookCount: number;
}

/** Warning beside a figure whose candles were viewed before. */
export function chosenHere({ isUnseen, lookCount }: Sight): string {
  if (!isUnseen) return ' Chosen on these candles: no confirmation.';
  return lookCount > 1 ? ` Adjusted for your ${plural(lookCount, 'look')} there.` : '';
}

export const plural = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
/** A probability in words: it never reads as certain, so neither 0 % nor 100 %. */
export function chance(share: number, digits = 0): string {
  const step = 10 ** -digits;
  const rounded = Number((100 * share).toFixed(digits));
  if (rounded <= 0) return `less than ${step.toFixed(digits)} %`;
  return rounded >= 100 ? `more than ${(100 - step).toFixed(digits)} %` : percent(share, digits);
}
export const percent = (share: number, digits = 0): string => `${(100 * share).toFixed(digits)} %`;
