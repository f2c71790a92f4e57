import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import { z } from 'zod';
import { type SignalFeatures, stopFraction, targetFraction } from './features.ts';

/** Response schema for the model. Without ranges: providers do not enforce them, so every number is checked below. */
export const RawVerdict = z.strictObject({
  verdict: z.enum(['approved', 'rejected']),
  rationale: z.string(),
  tags: z.array(z.string()),
  horizon_minutes: z.number(),
  suggested_stop_loss_pct: z.number(),
  suggested_take_profit_pct: z.number(),
  risk_multiplier: z.number(),
});
export type RawVerdict = z.infer<typeof RawVerdict>;

/** A verdict with validated numbers. Percents are distances from the entry: 2 is 2 %. */
export interface Verdict {
  decision: 'approved' | 'rejected';
  /** Plain text without links. */
  rationale: string;
  tags: string[];
  horizonMinutes: number;
  suggestedStopLossPct: number;
  suggestedTakeProfitPct: number;
  /** Above 0, at most 1: fraction of the usual size. */
  riskMultiplier: number;
}

export const verdictLimits = {
  rationaleLength: 600,
  tagCount: 5,
  tagLength: 24,
  horizonMinutes: { min: 5, max: 7 * 24 * 60 },
  /** A suggested distance relative to the engine's. */
  distanceRatio: { min: 0.25, max: 4 },
  distancePctMax: 50,
} as const;

/** Checks each number against its bounds and the engine's levels. One invalid number rejects the whole verdict. */
export function checkVerdict(raw: RawVerdict, features: SignalFeatures): Result<Verdict, string> {
  const rationale = plainText(raw.rationale).slice(0, verdictLimits.rationaleLength).trim();
  const { min, max } = verdictLimits.horizonMinutes;
  const problems: [boolean, string][] = [
    [rationale !== '', 'no rationale'],
    [raw.horizon_minutes >= min && raw.horizon_minutes <= max, 'horizon'],
    [isNear(raw.suggested_stop_loss_pct, stopFraction(features)), 'stop loss'],
    [isNear(raw.suggested_take_profit_pct, targetFraction(features)), 'take profit'],
    [raw.risk_multiplier > 0 && raw.risk_multiplier <= 1, 'risk multiplier'],
  ];
  const problem = problems.find(([isFine]) => !isFine);
  if (problem !== undefined) return failWith(problem[1]);
  return ok({
    decision: raw.verdict,
    rationale,
    tags: tagsOf(raw.tags),
    horizonMinutes: Math.round(raw.horizon_minutes),
    suggestedStopLossPct: raw.suggested_stop_loss_pct,
    suggestedTakeProfitPct: raw.suggested_take_profit_pct,
    riskMultiplier: raw.risk_multiplier,
  });
}

function isNear(pct: number, engineFraction: number): boolean {
  const { min, max } = verdictLimits.distanceRatio;
  const ratio = pct / 100 / engineFraction;
  // A ratio of two prices has rounding noise.
  return Number.isFinite(ratio) && ratio >= min - 1e-9 && ratio <= max + 1e-9 && pct <= verdictLimits.distancePctMax;
}

/** Plain text of a model's response, without control or direction marks, markup or links. */
export function plainText(text: string): string {
  return text
    .replaceAll(/[\p{C}\u2028\u2029]/gu, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[a-z][a-z0-9+.-]*:\/*\S+/gi, '')
    .replaceAll(/\b(?:www\.|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\/)\S*/gi, '')
    .replaceAll(/[<>`[\]{}|\\]/g, '')
    .replaceAll(/\s+/g, ' ');
}

function tagsOf(tags: readonly string[]): string[] {
  const cleaned = tags.map((tag) =>
    plainText(tag)
      .replaceAll(/[^\p{L}\p{N} +-]/gu, '')
      .trim()
      .slice(0, verdictLimits.tagLength),
  );
  return [...new Set(cleaned.filter((tag) => tag !== ''))].slice(0, verdictLimits.tagCount);
}
