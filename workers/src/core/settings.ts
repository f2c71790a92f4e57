import { LEVERAGE_MAX } from '@sextant/engine-as/abi/costs.ts';

/**
 * The settings of an account that are a number or one of a list: bounds, default and how a form edits them. The API contract, the forms and
 * their hints read them here; a test holds the CHECK constraints and defaults of the database to them.
 */
interface NumberSetting {
  min: number;
  max: number;
  /** Value of a new account; null: not set. */
  default: number | null;
  isWhole?: true;
  /** Step of the field, digits after the point and unit, as the form shows the value. */
  step: number;
  decimals: number;
  unit?: string;
  /** Counted noun of the hint. */
  noun?: string;
  /** Explanation of a bound, in the hint. */
  note?: string;
  /** Value set by the switch that turns the setting on. */
  first?: number;
}

export const numberSettings = {
  min_auto_conf_pct: { min: 0, max: 100, default: 60, step: 1, decimals: 1, unit: '%' },
  positions_wanted: { min: 1, max: 20, default: 5, isWhole: true, step: 1, decimals: 0, noun: 'picks per scan' },
  max_symbols: { min: 1, max: 1000, default: 100, isWhole: true, step: 10, decimals: 0, noun: 'symbols by turnover' },
  balance_usdt: { min: 10, max: 1e8, default: 1000, step: 1, decimals: 2, unit: 'USDT' },
  base_usdt: { min: 1, max: 1e12, default: null, step: 10, decimals: 2, unit: 'USDT' },
  leverage: { min: 1, max: LEVERAGE_MAX, default: 10, isWhole: true, step: 1, decimals: 0, unit: '×' },
  stop_loss_pct: { min: 0, max: 20, default: 2, step: 0.001, decimals: 3, unit: '%' },
  take_profit_pct: { min: 0, max: 50, default: 4, step: 0.001, decimals: 3, unit: '%' },
  max_concurrent_positions: { min: 1, max: 50, default: 5, isWhole: true, step: 1, decimals: 0 },
  // Fractions on the wire, in spite of their names; the form shows percent.
  risk_min_pct: { min: 0.001, max: 0.05, default: 0.005, step: 0.1, decimals: 2, unit: '%' },
  risk_max_pct: { min: 0.001, max: 0.1, default: 0.02, step: 0.1, decimals: 2, unit: '%' },
  risk_smoothing: { min: 0, max: 1, default: 0.3, step: 0.01, decimals: 2 },
  risk_perf_lookback: { min: 1, max: 1000, default: 50, isWhole: true, step: 1, decimals: 0 },
  trail_callback_pct: { min: 0.05, max: 20, default: 0.5, step: 0.05, decimals: 2, unit: '%' },
  trail_step_pct: { min: 0.05, max: 20, default: 0.25, step: 0.05, decimals: 2, unit: '%' },
  trail_atr_mult: { min: 0.5, max: 20, default: 2, step: 0.1, decimals: 2 },
  trail_atr_period: { min: 5, max: 200, default: 14, isWhole: true, step: 1, decimals: 0, noun: 'candles' },
  trail_activation_stops: { min: 0, max: 10, default: 1, step: 0.25, decimals: 2, note: '0 trails at once' },
  tuning_conf_floor: { min: 0.1, max: 1, default: null, step: 0.05, decimals: 2 },
  guard_daily_loss_pct: { min: 0.1, max: 100, default: null, first: 5, step: 0.5, decimals: 1, unit: '%' },
  guard_stop_streak: { min: 1, max: 50, default: null, first: 3, isWhole: true, step: 1, decimals: 0 },
  guard_cooldown_minutes: { min: 1, max: 10_080, default: 60, isWhole: true, step: 15, decimals: 0, unit: 'min' },
  guard_stops_pct: { min: 0.5, max: 100, default: 5, first: 5, step: 0.5, decimals: 1, unit: '%' },
  guard_exposure_pct: { min: 10, max: 1000, default: 200, first: 200, step: 10, decimals: 0, unit: '%' },
  guard_drawdown_pct: { min: 0.1, max: 100, default: null, first: 20, step: 1, decimals: 1, unit: '%' },
} as const satisfies Record<string, NumberSetting>;

export type NumberSettingId = keyof typeof numberSettings;

export const readNumberSetting = (id: NumberSettingId): NumberSetting => numberSettings[id];

/** The bounds and default under a field: `5 to 200 candles, default 14`. */
export function hintOfSetting(id: NumberSettingId): string {
  const { min, max, default: standard, noun, note } = readNumberSetting(id);
  const range = `${min} to ${max}${noun === undefined ? '' : ` ${noun}`}`;
  return `${range}${standard === null ? '' : `, default ${standard}`}${note === undefined ? '' : `; ${note}`}`;
}

interface ChoiceSetting {
  choices: readonly [string, ...string[]];
  default: string;
}

export const choiceSettings = {
  risk_tolerance: { choices: ['low', 'medium', 'high'], default: 'medium' },
  /** `risk`: the size follows from the distance of the stop and the risk; `fixed`: the base. */
  sizing_mode: { choices: ['risk', 'fixed'], default: 'risk' },
  /** Stop and target of a position: from its signal, or the percentages of the settings. */
  levels_mode: { choices: ['signal', 'own'], default: 'signal' },
  trail_mode: { choices: ['percent', 'atr'], default: 'percent' },
} as const satisfies Record<string, ChoiceSetting>;

export type ChoiceOf<Id extends keyof typeof choiceSettings> = (typeof choiceSettings)[Id]['choices'][number];
