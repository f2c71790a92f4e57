import { choiceSettings, numberSettings as numbers } from '@sextant/workers/src/core/settings.ts';
import { neutralTuning } from '@sextant/workers/src/signals/signalRules.ts';
import type { Auto } from '../backtest/portfolio/autoOf.ts';

/** What Auto of a new account trades: the sandbox has no accounts. */
export const defaultAuto: Auto = {
  settings: {
    auto_open_enabled: true,
    min_auto_conf_pct: numbers.min_auto_conf_pct.default,
    min_conf_on_score: false,
    tuning_conf_floor: numbers.tuning_conf_floor.default,
    blacklist: '',
    whitelist: '',
    positions_wanted: numbers.positions_wanted.default,
    max_concurrent_positions: numbers.max_concurrent_positions.default,
    max_symbols: numbers.max_symbols.default,
    balance_usdt: numbers.balance_usdt.default,
    base_usdt: numbers.base_usdt.default,
    leverage: numbers.leverage.default,
    risk_tolerance: choiceSettings.risk_tolerance.default,
    sizing_mode: choiceSettings.sizing_mode.default,
    levels_mode: choiceSettings.levels_mode.default,
    stop_loss_pct: numbers.stop_loss_pct.default,
    take_profit_pct: numbers.take_profit_pct.default,
    dynamic_risk_on: false,
    trailing_enabled: false,
    trail_mode: choiceSettings.trail_mode.default,
    trail_callback_pct: numbers.trail_callback_pct.default,
    trail_step_pct: numbers.trail_step_pct.default,
    trail_atr_mult: numbers.trail_atr_mult.default,
    trail_atr_period: numbers.trail_atr_period.default,
    trail_activation_stops: numbers.trail_activation_stops.default,
    interval_opts: { '15m': true, '1h': true, '4h': true },
    guard_daily_loss_pct: numbers.guard_daily_loss_pct.default,
    guard_stop_streak: numbers.guard_stop_streak.default,
    guard_cooldown_minutes: numbers.guard_cooldown_minutes.default,
    guard_drawdown_pct: numbers.guard_drawdown_pct.default,
  },
  tuning: neutralTuning,
  strategy: undefined,
  strategyBases: [],
};
