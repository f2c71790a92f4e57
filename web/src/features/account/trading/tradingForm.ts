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
  leverage: 10,
  sizing_mode: 'risk',
  base_usdt: null,
  levels_mode: 'signal',
  stop_loss_pct: 2,
  take_profit_pct: 4,
  max_concurrent_positions: 5,
  balance_usdt: 1000,
};

/** One default and the other reading as a choice. */
export const balancePresets = [
  { id: 'standard', label: '1,000 USDT', value: 1000 },
  { id: 'large', label: '700,000 USDT', value: otherDefaults.balanceUsdt },
] as const;

const keys = Object.keys(defaults) as (keyof TradingForm)[];

/** The part of the preferences that the form edits. */
export const readTradingForm = (preferences: Preferences): TradingForm =>
  Object.fromEntries(keys.map((key) => [key, preferences[key]])) as unknown as TradingForm;

export const tradingForm = createDraftForm<TradingForm>();
