import { formatFixed, formatMany, formatSigned, NO_VALUE } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import type { Anchor, Drawing } from './drawing.ts';

/** Difference of two points: price, percent of the first, candles and time between them. */
export function measure(
  from: Anchor,
  to: Anchor,
  candles: number,
): { price: number; pct: number; ms: number; candles: number } {
  const price = to.price - from.price;
  return { price, pct: (price / from.price) * 100, ms: to.time - from.time, candles };
}

/** `+1,234.5 (+1.23 %)` and `24 candles, 1 d`. @param candles between the points, signed */
export function measureTexts(from: Anchor, to: Anchor, candles: number, decimals: number): [string, string] {
  const { price, pct, ms } = measure(from, to, candles);
  return [
    `${formatSigned(price, decimals)} (${formatSigned(pct, 2)} %)`,
    `${formatMany(Math.abs(candles), 'candle')}, ${formatDuration(Math.abs(ms))}`,
  ];
}

interface PositionFacts {
  /** Reward over risk; NaN where the stop is at the entry. */
  r: number;
  riskPct: number;
  rewardPct: number;
}

/** Risk and reward of a drawn position, before costs. Null for other drawings. */
export function positionFacts({ kind, anchors }: Drawing): PositionFacts | null {
  const [entry, target, stop] = anchors;
  if ((kind !== 'long' && kind !== 'short') || entry === undefined || target === undefined || stop === undefined)
    return null;
  const risk = Math.abs(entry.price - stop.price);
  const reward = Math.abs(target.price - entry.price);
  return {
    r: risk > 0 ? reward / risk : NaN,
    riskPct: (risk / entry.price) * 100,
    rewardPct: (reward / entry.price) * 100,
  };
}

export const rText = (r: number): string => (Number.isFinite(r) ? `${formatFixed(r, 2)}R` : NO_VALUE);

/** Labels of target, entry and stop of a drawn position. */
export function positionTexts(
  drawing: Drawing,
  decimals: number,
): [target: string, entry: string, stop: string] | null {
  const facts = positionFacts(drawing);
  if (facts === null) return null;
  const [entry, target, stop] = drawing.anchors.map(({ price }) => formatFixed(price, decimals));
  return [
    `target ${target ?? ''} (${formatFixed(facts.rewardPct, 2)} %)`,
    `${drawing.kind} ${entry ?? ''}, ${rText(facts.r)}`,
    `stop ${stop ?? ''} (${formatFixed(facts.riskPct, 2)} %)`,
  ];
}
