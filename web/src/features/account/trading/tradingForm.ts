import { choiceSettings, numberSettings } from '@sextant/workers/src/settings.ts';
import type { Preferences } from '../../../api/types.ts';
import { createDraftForm } from '../../../state/draftForm.ts';

/** The alternative defaults of the specification, offered beside the stored ones. The risks are basis points. */
export const otherDefaults = { balanceUsdt: 700_000, minAutoConfPct: 40, riskMinBps: 50, riskMaxBps: 200 } as const;

/** 50 is 0.5 %, the fraction 0.005. */
export const fractionOfBps = (bps: number): number => bps / 10_000;

export interface TradingForm {
  leverage: number;
  sizing_mode: Preferences['sizing_mode'];
  base_usdt: number | null;
  levels_mode: Preferences['levels_mode'];
  stop_loss_pct: number;
  take_profit_pct: number;
  max_concurrent_positions: number;
  balance_usdt: number;
}

/** Defaults of a new account; a value that differs is marked. */
export const defaults: TradingForm = {
  leverage: numberSettings.leverage.default,
  sizing_mode: choiceSettings.sizing_mode.default,
  base_usdt: numberSettings.base_usdt.default,
  levels_mode: choiceSettings.levels_mode.default,
  stop_loss_pct: numberSettings.stop_loss_pct.default,
  take_profit_pct: numberSettings.take_profit_pct.default,
  max_concurrent_positions: numberSettings.max_concurrent_positions.default,
  balance_usdt: numberSettings.balance_usdt.default,
};

/** One default and the other reading as a choice. */
export const balancePresets = [
  { id: 'standard', label: '1,000 USDT', value: numberSettings.balance_usdt.default },
  { id: 'large', label: '700,000 USDT', value: otherDefaults.balanceUsdt },
] as const;

const keys = Object.keys(defaults) as (keyof TradingForm)[];

/** The part of the preferences that the form edits. */
export const readTradingForm = (preferences: Preferences): TradingForm =>
  Object.fromEntries(keys.map((key) => [key, preferences[key]])) as unknown as TradingForm;

export const tradingForm = createDraftForm<TradingForm>();
