import type { Preferences, PreferencesChange } from '../../../api/types.ts';
import { listErrors, symbolsOf } from '../../../format/symbolList.ts';
import { otherDefaults } from './otherDefaults.ts';

export interface TradingForm {
  leverage: number;
  risk_tolerance: Preferences['risk_tolerance'];
  stop_loss_pct: number;
  take_profit_pct: number;
  whitelist: string;
  blacklist: string;
  max_concurrent_positions: number;
  min_auto_conf_pct: number;
  balance_usdt: number;
}

/** What a new account has; a value that differs is marked. */
export const defaults: TradingForm = {
  leverage: 10,
  risk_tolerance: 'medium',
  stop_loss_pct: 2,
  take_profit_pct: 4,
  whitelist: '',
  blacklist: '',
  max_concurrent_positions: 5,
  min_auto_conf_pct: 60,
  balance_usdt: 1000,
};

/** One default and the other reading as a choice; 0 means off. */
export const confidencePresets = [
  { id: 'standard', label: 'Standard', value: 60 },
  { id: 'relaxed', label: 'Relaxed', value: otherDefaults.minAutoConfPct },
] as const;

export const balancePresets = [
  { id: 'standard', label: '1,000 USDT', value: 1000 },
  { id: 'large', label: '700,000 USDT', value: otherDefaults.balanceUsdt },
] as const;

const keys = Object.keys(defaults) as (keyof TradingForm)[];

export const formOf = (preferences: Preferences): TradingForm =>
  Object.fromEntries(keys.map((key) => [key, preferences[key]])) as unknown as TradingForm;

export const isDirty = (draft: TradingForm, saved: TradingForm): boolean =>
  keys.some((key) => draft[key] !== saved[key]);

/** What differs from what is saved: nothing else is sent, so another tab's change is not undone. */
export const changeOf = (draft: TradingForm, saved: TradingForm): PreferencesChange =>
  Object.fromEntries(keys.filter((key) => draft[key] !== saved[key]).map((key) => [key, draft[key]]));

export type TradingErrors = Partial<Record<keyof TradingForm, string>>;

/** The numbers cannot be wrong: their inputs give only values inside their bounds. */
export const validate = (draft: TradingForm): TradingErrors => listErrors(draft);

/** Lists as the server keeps them. */
export const cleaned = (draft: TradingForm): TradingForm => ({
  ...draft,
  whitelist: symbolsOf(draft.whitelist).join(','),
  blacklist: symbolsOf(draft.blacklist).join(','),
});
