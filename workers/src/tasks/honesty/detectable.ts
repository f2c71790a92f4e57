import { HONESTY_CONFIDENCE } from '@sextant/engine-as/abi/honesty.ts';
import { STATISTIC_DAYS_MIN } from '@sextant/engine-as/abi/backtest.ts';
import type { Engine } from '../../engine/engine.ts';
import type { TaskResult } from '../../protocol/taskResult.ts';
import type { DetectableInput, DetectableResult } from '../../protocol/honesty.ts';
import { ok } from '../../core/result.ts';
import { check, firstFailure } from '../validateParams.ts';

/** Chance that a strategy with the smallest detectable Sharpe ratio passes. */
const POWER = 0.8;
const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;

/**
 * The smallest true Sharpe ratio that a search can distinguish from luck: with N trials on T bars luck shows E[max N] / sqrt(T - 1), and a
 * test at 95 % that is passed in 80 % of cases needs z(.95) + z(.8) standard errors, 1 / sqrt(T - 1) each, above it. Source: Bailey, Lopez
 * de Prado, The Deflated Sharpe Ratio (2014), eq. 6, 8 and 9; Cohen, Statistical Power Analysis (1988), section 2.4. Trials count as
 * unrelated, and unseen candles that confirm a result are not included, so the panel may detect a little less.
 */
export function detectable(engine: Engine, input: DetectableInput): TaskResult<DetectableResult> {
  const { trialCount, barCount, barMs, goalAnnualSharpe } = input;
  const valid = firstFailure([
    () => check('trialCount', trialCount, { min: 1, max: 1e12 }, true),
    () => check('barCount', barCount, { min: 2, max: 1e9 }, true),
    () => check('barMs', barMs, { min: 1, max: 1e12 }),
    () => check('goalAnnualSharpe', goalAnnualSharpe, { min: 0.01, max: 1000 }),
  ]);
  if (!valid.ok) return valid;
  const { raw } = engine;
  const luck = trialCount > 1 ? raw.expectedMaximum(trialCount) : 0;
  const errors = luck + raw.normalQuantile(HONESTY_CONFIDENCE) + raw.normalQuantile(POWER);
  const sharpePerBar = errors / Math.sqrt(barCount - 1);
  const days = (barCount * barMs) / DAY_MS;
  const perYear = Math.sqrt(YEAR_MS / barMs);
  const yearly = (perBar: number): number | null => (days < STATISTIC_DAYS_MIN ? null : perBar * perYear);
  const luckPerBar = luck / Math.sqrt(barCount - 1);
  return ok({
    luckPerBar,
    luckAnnualSharpe: yearly(luckPerBar),
    sharpePerBar,
    annualSharpe: yearly(sharpePerBar),
    barsForGoal: Math.ceil(1 + (errors / (goalAnnualSharpe / perYear)) ** 2),
  });
}
