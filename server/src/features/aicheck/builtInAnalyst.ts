import { SIZING_COSTS } from '@sextant/workers/src/signals/signalRules.ts';
import { voteFamilies } from '@sextant/workers/src/signals/voteFamilies.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { levelsFit, type SignalFeatures, stopFraction, targetFraction } from './features.ts';
import { type Verdict, verdictLimits } from './verdict.ts';

/** Version of the rules, stored with each verdict; changes with the rules. */
export const builtInModel = 'built-in-3';

/** Both fills and a stop that slips, as a fraction of the price. */
export const builtInCostFraction = 2 * SIZING_COSTS.takerFeeFraction + SIZING_COSTS.stopSlippageFraction;

const percentText = (fraction: number): string => `${Number((fraction * 100).toFixed(1))} %`;
const ratioText = (ratio: number): string => ratio.toFixed(2);

interface RuleShape {
  min?: number;
  max?: number;
  /** The measured value and its limit, in words. @param limit the rule's `min` or `max` */
  text: (value: number, limit: number) => string;
}

/** A signal is approved when all rules hold. docs/signals.md defines what they measure. */
export const builtInRules = {
  agreement: { min: 0.8, text: (value, least) => `votes agree ${percentText(value)} (at least ${percentText(least)})` },
  families: { min: 3, text: (value, least) => `${value} of 4 vote families agree (at least ${least})` },
  intervals: {
    min: 0,
    text: (value) =>
      value >= 0 ? 'no interval disagrees' : `an interval disagrees by ${percentText(-value)} of the score (none may)`,
  },
  reward: { min: 1.2, text: (value, least) => `target ${ratioText(value)} x as far as the stop (at least ${least} x)` },
  noise: { min: 1, text: (value, least) => `stop ${ratioText(value)} x ATR away (at least ${least} x)` },
  costs: {
    max: 0.15,
    text: (value, most) => `costs ${percentText(value)} of the way to the stop (at most ${percentText(most)})`,
  },
  room: { max: 0.085, text: (value, most) => `stop ${percentText(value)} away (at most ${percentText(most)})` },
} as const satisfies Record<string, RuleShape>;
type Rule = keyof typeof builtInRules;
const names = Object.keys(builtInRules) as Rule[];

/** Parses a name in `contributions` of a scan: `emaCross15m` is the vote `ema_cross` on 15m. */
const namePattern = /^(.+?)(1m|5m|15m|1h|4h|1d)$/;
const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Sums points by a part of their names; names without such a part are skipped. */
function sumsBy(towards: readonly Towards[], part: (each: Towards) => string | undefined): number[] {
  const sums = new Map<string, number>();
  for (const each of towards) {
    const key = part(each);
    if (key !== undefined) sums.set(key, (sums.get(key) ?? 0) + each.points);
  }
  // Contributions are fractions: cancelled sums may leave rounding noise.
  return [...sums.values()].map((sum) => Math.round(sum * 1e9) / 1e9);
}

interface Towards {
  vote: string;
  interval: string;
  /** Positive when the vote agrees with the direction. */
  points: number;
}

function measure(features: SignalFeatures): Record<Rule, number> {
  const sign = features.direction === 'LONG' ? 1 : -1;
  const towards = features.contributions
    .map(({ name, points }): Towards => {
      const [, vote = name, interval = features.interval] = namePattern.exec(name) ?? [];
      return { vote: snake(vote), interval, points: points * sign };
    })
    .filter(({ points }) => points !== 0);
  const all = towards.reduce((sum, { points }) => sum + Math.abs(points), 0);
  const agreeing = towards.reduce((sum, { points }) => sum + Math.max(0, points), 0);
  const stop = stopFraction(features);
  return {
    agreement: all === 0 ? 0 : agreeing / all,
    families: sumsBy(towards, ({ vote }) => voteFamilies.get(vote)).filter((points) => points > 0).length,
    intervals: Math.min(0, ...sumsBy(towards, ({ interval }) => interval)),
    reward: targetFraction(features) / stop,
    noise: stop / features.atrFraction,
    costs: builtInCostFraction / stop,
    room: stop,
  };
}

function textOf(name: Rule, value: number): string {
  const { min, max, text }: RuleShape = builtInRules[name];
  return text(value, min ?? max ?? 0);
}

/** Written so that NaN fails. */
function holds(name: Rule, value: number): boolean {
  const rule: RuleShape = builtInRules[name];
  return value >= (rule.min ?? -Infinity) && value <= (rule.max ?? Infinity);
}

/** Expected minutes until a driftless walk hits stop or target, with a standard deviation of ATR / 1.596 per candle. */
function horizonMinutes(features: SignalFeatures): number {
  const minutes = intervalMs[features.interval] / 60_000;
  const candles = (stopFraction(features) * targetFraction(features)) / (features.atrFraction / 1.596) ** 2;
  const { min, max } = verdictLimits.horizonMinutes;
  return Math.min(max, Math.max(min, Math.round(minutes * Math.max(1, candles))));
}

/** Widens the stop beyond noise and costs, within the allowed distance; the target preserves the rules' minimum reward. */
function suggestedPercents(features: SignalFeatures): { stop: number; target: number } {
  const { min, max } = verdictLimits.distanceRatio;
  const near = (wanted: number, own: number): number => Math.min(max * own, Math.max(min * own, wanted));
  const [ownStop, ownTarget] = [stopFraction(features), targetFraction(features)];
  const wide = Math.max(ownStop, features.atrFraction, builtInCostFraction / builtInRules.costs.max);
  const stop = near(Math.min(wide, builtInRules.room.max), ownStop);
  const target = near(Math.max(ownTarget, stop * builtInRules.reward.min), ownTarget);
  return { stop: stop * 100, target: target * 100 };
}

/** A saved strategy was tested with its own threshold and exits; other exits would make it a different strategy. */
function ownVerdict(features: SignalFeatures, ownThreshold: number): Verdict {
  const { stop, target } = { stop: stopFraction(features) * 100, target: targetFraction(features) * 100 };
  const isApproved = levelsFit(features) && Math.abs(features.score) >= ownThreshold - 1e-12;
  const figures = `score ${features.score.toFixed(2)}, entry from ${ownThreshold}; stop ${stop.toFixed(2)} %, target ${target.toFixed(2)} % away`;
  return {
    decision: isApproved ? 'approved' : 'rejected',
    rationale: `Your saved rules, no AI model: ${figures}.`.slice(0, verdictLimits.rationaleLength),
    tags: ['own rules', features.direction.toLowerCase()],
    horizonMinutes: horizonMinutes(features),
    suggestedStopLossPct: stop,
    suggestedTakeProfitPct: target,
    riskMultiplier: 1,
  };
}

/** Analyst without a model: applies the rules above to the engine's figures and names them in its text. */
export function builtInVerdict(features: SignalFeatures): Verdict {
  if (features.ownThreshold !== undefined) return ownVerdict(features, features.ownThreshold);
  const measured = measure(features);
  const failed = levelsFit(features) ? names.filter((name) => !holds(name, measured[name])) : names;
  const isApproved = failed.length === 0;
  const figures = (isApproved ? names : failed).map((name) => textOf(name, measured[name])).join(', ');
  const { stop, target } = suggestedPercents(features);
  return {
    decision: isApproved ? 'approved' : 'rejected',
    rationale:
      `Built-in rules, no AI model: ${isApproved ? 'all hold' : 'not all hold'}. In figures: ${figures}.`.slice(
        0,
        verdictLimits.rationaleLength,
      ),
    tags: isApproved
      ? ['rules', features.direction.toLowerCase()]
      : ['rules', ...failed].slice(0, verdictLimits.tagCount),
    horizonMinutes: horizonMinutes(features),
    suggestedStopLossPct: stop,
    suggestedTakeProfitPct: target,
    riskMultiplier: Math.min(1, Math.max(0.25, measured.agreement)),
  };
}
