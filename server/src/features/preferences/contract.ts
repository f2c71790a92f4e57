import { creditPrices, creditsText } from '@sextant/workers/src/core/creditPrices.ts';
import { AUTO_SCAN_MINUTES, LISTED_SYMBOLS_MAX } from '@sextant/workers/src/core/limits.ts';
import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { choiceSettings, type NumberSettingId, readNumberSetting } from '@sextant/workers/src/core/settings.ts';
import { isSymbol, toSymbolCase } from '@sextant/workers/src/core/symbolPattern.ts';
import { z } from 'zod';
import { Text } from '../../platform/contract.ts';
import { Balance } from '../signals/contract.ts';

/** The ids of the product's tabs. */
export const tabIds = [
  'dashboard',
  'signals',
  'auto',
  'backtest',
  'arb',
  'profile',
  'funds',
  'news',
  'help',
  'vision',
  'settings',
  'payments',
  'api-manager',
  'api-docs',
  'account',
] as const;

const listMax = 20_000;
/** Typed lists are normalised: `btcusdt, ETHUSDT` becomes `BTCUSDT,ETHUSDT`, upper case, without duplicates and spaces. */
const SymbolList = z
  .string()
  .max(listMax)
  .transform((text) =>
    [
      ...new Set(
        toSymbolCase(text)
          .split(',')
          .map((part) => part.trim()),
      ),
    ].filter((part) => part !== ''),
  )
  .refine((symbols) => symbols.length <= LISTED_SYMBOLS_MAX, `has more than ${LISTED_SYMBOLS_MAX} symbols`)
  .refine((symbols) => symbols.every(isSymbol), 'must be comma-separated symbols, e.g. BTCUSDT,ETHUSDT')
  .transform((symbols) => symbols.join(','));

const number = (id: NumberSettingId): z.ZodNumber => {
  const { min, max, isWhole } = readNumberSetting(id);
  const base = isWhole === true ? z.int('must be a whole number') : z.number();
  return base.min(min, `must be at least ${min}`).max(max, `must be at most ${max}`);
};
const percent = (field: z.ZodNumber) => field.meta({ description: 'Percent: 2 is 2 %.' });
const fraction = (field: z.ZodNumber) => field.meta({ description: 'A fraction, despite its name: 0.02 is 2 %.' });

const fields = {
  active_tab: z.enum(tabIds),
  current_page: Text.min(1).max(64).nullable().meta({ description: 'Sub-tab of the active tab.' }),
  auto_scan_enabled: z.boolean(),
  keep_scanning: z.boolean().meta({
    description: `The service scans every ${AUTO_SCAN_MINUTES} minutes while you are away, ${creditsText(creditPrices.scan)} each; turns off at 0 credits.`,
  }),
  ai_soft_approval: z.boolean().meta({ description: '`softApproval` of the AI checks after a scan.' }),
  ai_allow_correction: z.boolean().meta({ description: '`allowAiCorrectionOnReject` of the AI checks after a scan.' }),
  min_auto_conf_pct: percent(number('min_auto_conf_pct')),
  min_conf_on_score: z.boolean().meta({
    description:
      'Whether `min_auto_conf_pct` also applies to the score of saved strategies. If not, their own threshold applies until their win chance is measured.',
  }),
  positions_wanted: number('positions_wanted'),
  balance_usdt: Balance,
  leverage: number('leverage'),
  risk_tolerance: z.enum(choiceSettings.risk_tolerance.choices),
  sizing_mode: z.enum(choiceSettings.sizing_mode.choices).meta({
    description:
      '`risk`: the size follows from the risk per trade and the distance of the stop; `fixed`: `base_usdt` x leverage.',
  }),
  base_usdt: number('base_usdt')
    .nullable()
    .meta({ description: 'Largest margin of one position, USDT. Null: the balance.' }),
  levels_mode: z.enum(choiceSettings.levels_mode.choices).meta({
    description:
      'Stop and target of positions from a signal: those of the signal, or `stop_loss_pct` and `take_profit_pct`.',
  }),
  whitelist: SymbolList,
  blacklist: SymbolList,
  max_symbols: number('max_symbols'),
  interval_opts: z.strictObject(
    Object.fromEntries(signalIntervals.map((interval) => [interval, z.boolean()])) as Record<
      (typeof signalIntervals)[number],
      z.ZodBoolean
    >,
  ),
  scan_interval: z.enum(signalIntervals),
  dynamic_risk_on: z.boolean(),
  risk_min_pct: fraction(number('risk_min_pct')),
  risk_max_pct: fraction(number('risk_max_pct')),
  risk_smoothing: number('risk_smoothing'),
  risk_perf_lookback: number('risk_perf_lookback'),
  stop_loss_pct: number('stop_loss_pct').meta({
    description: 'Default stop, percent from the entry. 0: an opening without a stop is rejected.',
  }),
  take_profit_pct: number('take_profit_pct').meta({
    description: 'Default target, percent from the entry. 0: an opening without a target is rejected.',
  }),
  max_concurrent_positions: number('max_concurrent_positions'),
  trailing_enabled: z.boolean(),
  trail_mode: z.enum(choiceSettings.trail_mode.choices),
  trail_callback_pct: percent(number('trail_callback_pct')),
  trail_step_pct: percent(number('trail_step_pct')),
  trail_atr_mult: number('trail_atr_mult'),
  trail_atr_period: number('trail_atr_period'),
  trail_activation_stops: number('trail_activation_stops').meta({
    description: 'Trailing starts after a profit of this many stop distances; 0: at once.',
  }),
  tuning_conf_floor: number('tuning_conf_floor').nullable(),
  theme: z.enum(['dark', 'light']).nullable().meta({ description: 'Null: device setting.' }),
  palette: z.enum(['green-red', 'blue-orange']).nullable().meta({ description: 'Colours of gain and loss.' }),
  time_zone: z.enum(['local', 'utc']).nullable().meta({ description: 'Time zone of displayed times.' }),
  auto_open_enabled: z.boolean().meta({ description: 'Open positions automatically after a scan or analysis.' }),
  auto_open_noticed: z.boolean().meta({ description: 'The notice of the first automatic opening was dismissed.' }),
  guard_daily_loss_pct: percent(number('guard_daily_loss_pct')).nullable(),
  guard_stop_streak: number('guard_stop_streak').nullable(),
  guard_cooldown_minutes: number('guard_cooldown_minutes'),
  guard_drawdown_pct: percent(number('guard_drawdown_pct')).nullable(),
  guard_stops_pct: number('guard_stops_pct').nullable().meta({
    description:
      'Loss at all stops together, percent of the equity: automatic openings are sized down to it. null: off.',
  }),
  guard_exposure_pct: number('guard_exposure_pct').nullable().meta({
    description: 'Net exposure, percent of the equity: automatic openings are sized down to it. null: off.',
  }),
};

const namedTarget = z.string().nullable();

/** Any subset of the preferences; omitted fields stay unchanged. */
export const PreferencesRequest = z.strictObject(fields).partial();
export type PreferencesChange = z.infer<typeof PreferencesRequest>;

export const PreferencesResponse = z.object({
  ...fields,
  whitelist: z.string(),
  blacklist: z.string(),
  telegram: namedTarget.meta({ description: 'Name of the linked chat; `/api/notifications` links one.' }),
  webhook: namedTarget.meta({ description: 'Webhook URL; set by `/api/notifications/webhook`.' }),
  updated_at: z.iso.datetime(),
});
export type Preferences = z.infer<typeof PreferencesResponse>;
