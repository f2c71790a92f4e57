import { levelsFit, type SignalFeatures, stopFraction, targetFraction } from './features.ts';
import type { Verdict } from './verdict.ts';

/** Changes with the rules: a stored verdict says which rules gave it. */
export const builtInModel = 'built-in-1';

/** The rules, as they are shown. A signal is approved when all of them hold. */
export const builtInRules = {
  agreement: { min: 0.6, text: 'at least 60 % of the weight of all votes that speak agrees with the direction' },
  breadth: { min: 3, text: 'at least three votes agree' },
  reward: { min: 1.2, text: 'the target is at least 1.2 times as far as the stop' },
  noise: { min: 1, text: 'the stop is at least one ATR away' },
} as const;

interface Measured {
  agreement: number;
  breadth: number;
  reward: number;
  noise: number;
}

function measure(features: SignalFeatures): Measured {
  const sign = features.direction === 'LONG' ? 1 : -1;
  const towards = features.contributions.map(({ points }) => points * sign).filter((points) => points !== 0);
  const all = towards.reduce((sum, points) => sum + Math.abs(points), 0);
  const agreeing = towards.filter((points) => points > 0);
  return {
    agreement: all === 0 ? 0 : agreeing.reduce((sum, points) => sum + points, 0) / all,
    breadth: agreeing.length,
    reward: targetFraction(features) / stopFraction(features),
    noise: stopFraction(features) / features.atrFraction,
  };
}

const names = ['agreement', 'breadth', 'reward', 'noise'] as const;
const shown = (value: number): string => String(Math.round(value * 100) / 100);

/** Minutes a walk without drift takes to stop or target, candles of a deviation of ATR / 1.596. */
function horizonMinutes(features: SignalFeatures): number {
  const minutes = { '1m': 1, '5m': 5, '15m': 15, '1h': 60, '4h': 240, '1d': 1440 }[features.interval];
  const candles = (stopFraction(features) * targetFraction(features)) / (features.atrFraction / 1.596) ** 2;
  return Math.min(7 * 24 * 60, Math.max(5, Math.round(minutes * Math.max(1, candles))));
}

/** The analyst when no model is set up: decides by the rules above from the engine's own figures, and says so. */
export function builtInVerdict(features: SignalFeatures): Verdict {
  const measured = measure(features);
  const failed = levelsFit(features) ? names.filter((name) => !(measured[name] >= builtInRules[name].min)) : names;
  const isApproved = failed.length === 0;
  const reasons = (isApproved ? names : failed).map((name) => `${name} ${shown(measured[name])}`).join(', ');
  const rules = failed.map((name) => builtInRules[name].text).join('; ');
  const stopPct = stopFraction(features) * 100;
  return {
    decision: isApproved ? 'approved' : 'rejected',
    rationale: isApproved
      ? `Built-in rules, no AI model: all hold (${reasons}).`
      : `Built-in rules, no AI model: ${reasons}. Needed: ${rules}.`,
    tags: isApproved ? ['rules', features.direction.toLowerCase()] : ['rules', ...failed],
    horizonMinutes: horizonMinutes(features),
    // A stop inside the noise is moved out of it; the target keeps the least reward the rules ask for.
    suggestedStopLossPct: Math.max(stopPct, features.atrFraction * 100),
    suggestedTakeProfitPct: Math.max(
      targetFraction(features) * 100,
      Math.max(stopPct, features.atrFraction * 100) * builtInRules.reward.min,
    ),
    riskMultiplier: Math.min(1, Math.max(0.25, measured.agreement)),
  };
}
