import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import { liveExits, liveRules, type Strategy, type StrategyExits } from '@sextant/engine-as/abi/strategy.ts';
import { riskFractionOf } from '@sextant/workers/src/positions/sizing.ts';
import type { AutoLimitSettings } from '@sextant/workers/src/signals/autoLimits.ts';
import { calibrated } from '@sextant/workers/src/signals/calibration.ts';
import { confidenceRules, lowConfidence, type OpeningSettings } from '@sextant/workers/src/signals/openingRules.ts';
import { confidenceOf } from '@sextant/workers/src/signals/rescoring.ts';
import type { Preferences } from '../../preferences/contract.ts';
import type { ConfidenceBasis } from '../../signals/confidenceBasis.ts';

/** The account that Auto trades, as that of a backtest. docs/portfolio.md, section 1, has the table. */

export type AutoSettings = OpeningSettings &
  AutoLimitSettings &
  Pick<
    Preferences,
    | 'max_symbols'
    | 'balance_usdt'
    | 'base_usdt'
    | 'leverage'
    | 'risk_tolerance'
    | 'sizing_mode'
    | 'levels_mode'
    | 'stop_loss_pct'
    | 'take_profit_pct'
    | 'dynamic_risk_on'
    | 'trailing_enabled'
    | 'trail_mode'
    | 'trail_callback_pct'
    | 'trail_step_pct'
    | 'trail_atr_mult'
    | 'trail_atr_period'
    | 'trail_activation_stops'
    | 'interval_opts'
  >;

/** USDT. Margin of the largest position; its notional is that times its leverage. */
export const baseOfAuto = ({ base_usdt: base, balance_usdt: balance }: AutoSettings): number => base ?? balance;

/** Live rules on the interval as a scan of the user weighs them: longer chosen intervals vote with half the weight. */
export function liveRulesOfAuto(
  settings: AutoSettings,
  tuning: Readonly<Record<string, number>>,
  interval: IntervalName,
  longer: readonly IntervalName[],
): { value: Strategy; notes: string[] } {
  const { exits, notes } = exitsOfAuto(settings);
  const value = { ...liveRules([interval, ...longer], tuning), ...exits };
  return { value, notes: settings.dynamic_risk_on ? [...notes, dynamicNote] : notes };
}

const dynamicNote = 'Dynamic risk is left out: the run starts without closed positions, with the risk of your level.';
const unlike = (what: string): string => `Trailing is left out: ${what}.`;

/** Levels, trailing and sizing of a position that Live rules open. */
function exitsOfAuto(settings: AutoSettings): { exits: StrategyExits; notes: string[] } {
  const { levels_mode: levels, stop_loss_pct: stopPct, take_profit_pct: targetPct } = settings;
  const percent = (pct: number) => ({ mode: 'percent', fraction: pct / 100 }) as const;
  const isOwn = levels === 'own';
  const exits: StrategyExits = {
    ...structuredClone(liveExits),
    ...(isOwn && stopPct > 0 ? { stop: percent(stopPct) } : {}),
    ...(isOwn && targetPct > 0 ? { target: percent(targetPct) } : {}),
    sizing: {
      mode: settings.sizing_mode,
      riskFraction: riskFractionOf(settings.risk_tolerance, null),
      isCompounding: false,
    },
  };
  return withTrailing(exits, settings);
}

/** A strategy has one ATR period, and an activation that is a part of the entry: what they cannot express is named. */
function withTrailing(exits: StrategyExits, settings: AutoSettings): { exits: StrategyExits; notes: string[] } {
  if (!settings.trailing_enabled) return { exits, notes: [] };
  const { trail_mode: mode, trail_activation_stops: stops, trail_atr_period: period } = settings;
  const { stop, target } = exits;
  if (stops > 0 && stop.mode === 'atr') return { exits, notes: [unlike('its start follows an ATR stop')] };
  const hasRange = stop.mode === 'atr' || target.mode === 'atr';
  if (mode === 'atr' && hasRange && period !== exits.atrPeriod)
    return { exits, notes: [unlike('its ATR period differs from that of the levels')] };
  const trailing = {
    ...exits.trailing,
    mode,
    callbackFraction: mode === 'percent' ? settings.trail_callback_pct / 100 : exits.trailing.callbackFraction,
    stepFraction: mode === 'percent' ? settings.trail_step_pct / 100 : 0,
    atrMultiple: mode === 'atr' ? settings.trail_atr_mult : exits.trailing.atrMultiple,
    activationFraction: stop.mode === 'percent' ? stops * stop.fraction : 0,
  } as const;
  return { exits: { ...exits, trailing, atrPeriod: mode === 'atr' ? period : exits.atrPeriod }, notes: [] };
}

/** Resolution of the threshold: two scores nearer to each other than a step count as one. */
const SCORE_STEPS = 2 ** 20;

/**
 * Least score whose confidence Auto accepts: the threshold of the strategy, raised by the limits of confidence. A rule of one's own has no
 * degrees, so its threshold stays.
 * @param basis the measured chance where there is one, as of now
 */
export function thresholdOfAuto(
  strategy: Strategy,
  settings: OpeningSettings,
  { basis, isSaved }: { basis: Pick<ConfidenceBasis, 'kind' | 'points'>; isSaved: boolean },
): { threshold: number; notes: string[] } {
  const { entryThreshold, rules } = strategy;
  if (rules !== undefined) return { threshold: entryThreshold, notes: [] };
  const isAccepted = (score: number): boolean => {
    const raw = confidenceOf(score);
    const confidence = basis.kind === 'calibrated' ? calibrated(raw, basis.points) : raw;
    const held = { confidence, kind: basis.kind, isOfSavedRules: isSaved };
    return lowConfidence(held, confidenceRules(settings)) === undefined;
  };
  const notes = basis.kind === 'calibrated' ? [measuredNote] : [];
  if (isAccepted(entryThreshold)) return { threshold: entryThreshold, notes: [] };
  if (!isAccepted(1)) return { threshold: 1, notes: [...notes, noneNote] };
  let [low, high] = [Math.floor(entryThreshold * SCORE_STEPS), SCORE_STEPS];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (isAccepted(middle / SCORE_STEPS)) high = middle;
    else low = middle;
  }
  return { threshold: high / SCORE_STEPS, notes };
}

const measuredNote = 'The minimum confidence uses the win chance as measured today.';
const noneNote = 'No score reaches your minimum confidence, so only full scores enter.';
