import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { LEVERAGE_MAX } from '@sextant/engine-as/abi/costs.ts';
import { isSymbol, toSymbolCase } from '@sextant/workers/src/symbolPattern.ts';
import { z } from 'zod';
import { Text } from '../../platform/contract.ts';

/** The ids of the product's tabs. */
export const tabIds = [
  ...['dashboard', 'signals', 'auto', 'backtest', 'arb', 'profile', 'funds', 'news', 'help', 'vision', 'settings'],
  ...['payments', 'api-manager', 'api-docs', 'account'],
] as const;

const symbolsMax = 1000;
const listMax = 20_000;
/** `btcusdt, ETHUSDT` as people type it becomes `BTCUSDT,ETHUSDT`: upper case, each once, no spaces. */
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
  .refine((symbols) => symbols.length <= symbolsMax, `has more than ${symbolsMax} symbols`)
  .refine((symbols) => symbols.every(isSymbol), 'must be symbols with commas between them, e.g. BTCUSDT,ETHUSDT')
  .transform((symbols) => symbols.join(','));

const between = (least: number, most: number) =>
  z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`);
const wholeBetween = (least: number, most: number) =>
  z.int('must be a whole number').min(least, `must be at least ${least}`).max(most, `must be at most ${most}`);
const percent = (field: z.ZodNumber) => field.meta({ description: 'Percent: 2 is 2 %.' });
const fraction = (field: z.ZodNumber) => field.meta({ description: 'A fraction in spite of its name: 0.02 is 2 %.' });

/** Ranges are the specification's; the same ones are checked in db/migrations/0002_preferences_profiles.sql. */
const fields = {
  active_tab: z.enum(tabIds),
  current_page: Text.min(1).max(64).nullable().meta({ description: 'Sub-tab of the active tab.' }),
  auto_scan_enabled: z.boolean(),
  keep_scanning: z.boolean().meta({
    description: 'The service scans every 10 minutes while you are away, 1 credit each; it goes off at 0 credits.',
  }),
  ai_soft_approval: z.boolean().meta({ description: '`softApproval` of the AI checks after a scan.' }),
  ai_allow_correction: z.boolean().meta({ description: '`allowAiCorrectionOnReject` of the AI checks after a scan.' }),
  min_auto_conf_pct: percent(between(0, 100)),
  positions_wanted: wholeBetween(1, 20),
  // What is lost is shown as a part of it: over next to nothing that is no number.
  balance_usdt: z
    .number()
    .positive('must be more than 0')
    .min(0.01, 'must be at least 0.01')
    .max(1e12, 'must be at most 1e12'),
  leverage: wholeBetween(1, LEVERAGE_MAX),
  risk_tolerance: z.enum(['low', 'medium', 'high']),
  sizing_mode: z.enum(['risk', 'fixed']).meta({
    description:
      '`risk`: the size follows from the risk per trade and the distance of the stop; `fixed`: `base_usdt` x leverage, whatever the stop loses.',
  }),
  base_usdt: between(1, 1e12)
    .nullable()
    .meta({ description: 'Largest margin of one position, USDT. Null: the balance.' }),
  levels_mode: z.enum(['signal', 'own']).meta({
    description:
      'Stop and target of positions opened from a signal: those of the signal, or `stop_loss_pct` and `take_profit_pct` from the entry.',
  }),
  whitelist: SymbolList,
  blacklist: SymbolList,
  max_symbols: wholeBetween(1, 1000),
  interval_opts: z.strictObject({ '15m': z.boolean(), '1h': z.boolean(), '4h': z.boolean() }),
  scan_interval: z.enum(signalIntervals),
  dynamic_risk_on: z.boolean(),
  risk_min_pct: fraction(between(0.001, 0.05)),
  risk_max_pct: fraction(between(0.001, 0.1)),
  risk_smoothing: between(0, 1),
  risk_perf_lookback: wholeBetween(1, 1000),
  stop_loss_pct: between(0, 20).meta({
    description: 'Percent from the entry: the stop of an opening that names none. 0: none, such an opening is refused.',
  }),
  take_profit_pct: between(0, 50).meta({ description: 'Likewise for the target.' }),
  max_concurrent_positions: wholeBetween(1, 50),
  trailing_enabled: z.boolean(),
  trail_mode: z.enum(['percent', 'atr']),
  trail_callback_pct: percent(between(0.05, 20)),
  trail_step_pct: percent(between(0.05, 20)),
  trail_atr_mult: between(0.5, 20),
  trail_atr_period: wholeBetween(5, 200),
  trail_activation_stops: between(0, 10).meta({
    description: 'Trailing starts after a move in favour of this many stop distances; 0: at once.',
  }),
  tuning_conf_floor: between(0.1, 1).nullable(),
  theme: z.enum(['dark', 'light']).nullable().meta({ description: 'Null: as the device has it.' }),
  palette: z.enum(['green-red', 'blue-orange']).nullable().meta({ description: 'Colours of gain and loss.' }),
  time_zone: z.enum(['local', 'utc']).nullable().meta({ description: 'In which time moments are shown.' }),
  auto_open_enabled: z
    .boolean()
    .meta({ description: 'Positions are opened by themselves after a scan or an analysis.' }),
  auto_open_noticed: z
    .boolean()
    .meta({ description: 'You have answered the line that the first automatic opening of the account shows.' }),
  guard_daily_loss_pct: percent(between(0.1, 100)).nullable(),
  guard_stop_streak: wholeBetween(1, 50).nullable(),
  guard_cooldown_minutes: wholeBetween(1, 10_080),
  guard_drawdown_pct: percent(between(0.1, 100)).nullable(),
};

const namedTarget = z.string().nullable();

/** Any part of the preferences; what is left out stays as it is. */
export const PreferencesRequest = z.strictObject(fields).partial();
export type PreferencesChange = z.infer<typeof PreferencesRequest>;

export const PreferencesAnswer = z.object({
  ...fields,
  whitelist: z.string(),
  blacklist: z.string(),
  telegram: namedTarget.meta({ description: 'Name of the linked chat; `/api/notifications` links one.' }),
  webhook: namedTarget.meta({ description: 'URL messages are posted to; `/api/notifications/webhook` sets it.' }),
  updated_at: z.iso.datetime(),
});
export type Preferences = z.infer<typeof PreferencesAnswer>;
