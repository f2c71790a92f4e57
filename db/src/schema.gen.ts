// Written by npm run generate from the migrated database. Do not edit.

import type { ColumnType, GeneratedAlways } from 'kysely';

/** Has a default: may be left out when inserting. */
type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>;
type Timestamp = ColumnType<Date, Date | string, Date | string>;
/** Read as parsed JSON. Written as text: the driver would turn an array into a PostgreSQL array. */
type Jsonb = ColumnType<unknown, string, string>;

export interface AccountsTable {
  id: Generated<string>;
  user_id: string;
  account_id: string;
  provider_id: string;
  access_token: string | null;
  refresh_token: string | null;
  id_token: string | null;
  access_token_expires_at: Timestamp | null;
  refresh_token_expires_at: Timestamp | null;
  scope: string | null;
  password: string | null;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
}

export interface AiCallsTable {
  id: Generated<string>;
  user_id: string;
  input_hash: string;
  prompt_hash: string;
  model: string;
  attempt: Generated<number>;
  reserved_microusd: number;
  created_at: Generated<Timestamp>;
}

export interface AiVerdictsTable {
  id: Generated<string>;
  user_id: string;
  input_hash: string;
  prompt_hash: string;
  model: string;
  verdict: Jsonb;
  created_at: Generated<Timestamp>;
}

export interface AlertReceiptsTable {
  id: Generated<string>;
  alert_id: string;
  user_id: string;
  firing: number;
  condition: Jsonb;
  evidence: Jsonb;
  note: string | null;
  channels: string[];
  exchange_at: Timestamp;
  detected_at: Timestamp;
  shown_at: Timestamp | null;
  is_late: boolean;
  created_at: Generated<Timestamp>;
}

export interface AlertWatermarksTable {
  market: string;
  exchange: string;
  symbol: string;
  next_ms: number;
}

export interface AlertsTable {
  id: Generated<string>;
  user_id: string;
  market: string;
  condition: Jsonb;
  repeats: Generated<boolean>;
  pause_s: Generated<number>;
  channels: string[];
  note: string | null;
  expires_at: Timestamp | null;
  state: Generated<string>;
  state_reason: string | null;
  side: string | null;
  since_ms: number;
  fired_count: Generated<number>;
  last_fired_ms: number | null;
  last_fired_at: Timestamp | null;
  version: Generated<number>;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
}

export interface AnnouncementsTable {
  id: Generated<string>;
  subject: string;
  body: string;
  created_at: Generated<Timestamp>;
  sent_at: Timestamp | null;
  sent_count: number | null;
}

export interface ApiCallsTable {
  created_at: Timestamp;
  request_id: string;
  user_id: string;
  key_id: string;
  method: string;
  route: string;
  path: string;
  status: number;
  duration_ms: number;
  ip: string;
  credits: Generated<number>;
}

export interface ApiKeyNetworksTable {
  key_id: string;
  user_id: string;
  network_hash: string;
  created_at: Generated<Timestamp>;
}

export interface ApiKeySecretsTable {
  public_id: string;
  key_id: string;
  user_id: string;
  secret_hash: string;
  last4: string;
  created_at: Generated<Timestamp>;
  expires_at: Timestamp | null;
}

export interface ApiKeysTable {
  id: Generated<string>;
  user_id: string;
  name: string;
  mode: Generated<string>;
  scopes: Generated<string[]>;
  ip_allowlist: Generated<string[]>;
  credit_cap: number | null;
  created_at: Generated<Timestamp>;
  last_used_at: Timestamp | null;
  last_used_ip: string | null;
  revoked_at: Timestamp | null;
}

export interface ApiLeasesTable {
  user_id: string;
  window_start: Timestamp;
  node: string;
  granted: number;
  used: number;
}

export interface ApiRefusedCountsTable {
  key_id: string;
  user_id: string;
  hour: Timestamp;
  count: number;
}

export interface ApiStreamPlacesTable {
  node: string;
  key_id: string;
  user_id: string;
  streams: number;
  seen_at: Generated<Timestamp>;
}

export interface ApiSubscriptionsTable {
  id: Generated<string>;
  user_id: string;
  plan: string;
  price_credits: number;
  credit_ref: string;
  created_at: Generated<Timestamp>;
  expires_at: Timestamp;
  ended_at: Timestamp | null;
  notified_at: Timestamp | null;
}

export interface ApiTestLeasesTable {
  user_id: string;
  window_start: Timestamp;
  node: string;
  granted: number;
  used: number;
}

export interface ApiUsageAlertsTable {
  user_id: string;
  percent: number;
  sent_at: Generated<Timestamp>;
}

export interface ArbitrageAnnouncedTable {
  market: string;
  symbol: string;
  exchange: string;
  settles_at: Timestamp;
  rate: number;
  seen_at: Timestamp;
}

export interface ArbitrageDaysTable {
  market: string;
  day: Timestamp;
  sampled_s: Generated<number>;
  episodes: Generated<number>;
  not_stored: Generated<number>;
}

export interface ArbitrageEpisodesTable {
  id: GeneratedAlways<number>;
  market: string;
  symbol: string;
  buy: string;
  sell: string;
  started_at: Timestamp;
  lifetime_s: number | null;
  followed_s: number;
  net_pct: number;
  peak_pct: number;
  left_1s: number | null;
  left_5s: number | null;
  left_30s: number | null;
}

export interface ArbitrageFundingsTable {
  market: string;
  symbol: string;
  exchange: string;
  times: Date[];
  rates: number[];
  read_at: Generated<Timestamp>;
}

export interface ArbitrageScansTable {
  id: Generated<string>;
  user_id: string;
  created_at: Generated<Timestamp>;
  status: Generated<string>;
  params: Jsonb;
  results: Jsonb | null;
  progress_done: Generated<number>;
  progress_total: Generated<number>;
  credit_ref: string;
  failure: string | null;
  finished_at: Timestamp | null;
}

export interface ArbitrageSpreadsTable {
  market: string;
  symbol: string;
  at: Timestamp;
  minutes: number[];
}

export interface ArbitrageWatchesTable {
  id: Generated<string>;
  user_id: string;
  created_at: Generated<Timestamp>;
  market: string;
  symbol: string;
  buy: string;
  sell: string;
  net_pct: number;
  hold_hours: number;
  buy_fee: number;
  sell_fee: number;
  is_above: Generated<boolean>;
  crossings: Generated<number>;
  last_crossed_at: Timestamp | null;
}

export interface AuthTokensTable {
  id: Generated<string>;
  user_id: string;
  kind: string;
  token_hash: string;
  email: string | null;
  session_id: string | null;
  expires_at: Timestamp;
  created_at: Generated<Timestamp>;
}

export interface AutoRunItemsTable {
  run_id: string;
  user_id: string;
  symbol: string;
  interval: string;
  side: string | null;
  confidence: number | null;
  outcome: string;
  detail: string | null;
  message: string;
  position_id: string | null;
  created_at: Generated<Timestamp>;
}

export interface AutoRunsTable {
  id: Generated<string>;
  user_id: string;
  scan_id: string;
  created_at: Generated<Timestamp>;
  finished_at: Timestamp | null;
  refused: string | null;
}

export interface AwayScansTable {
  user_id: string;
  slot_at: Timestamp;
  scan_id: string | null;
  refused: string | null;
  created_at: Generated<Timestamp>;
}

export interface BacktestSearchChunksTable {
  search_id: string;
  first_index: number;
  sample_count: number;
  leaders: Jsonb;
  figures: Buffer;
  unknown_bars: Generated<number[]>;
}

export interface BacktestSearchInputsTable {
  search_id: string;
  input: Buffer;
  minutes: Buffer | null;
}

export interface BacktestSearchesTable {
  id: Generated<string>;
  user_id: string;
  created_at: Generated<Timestamp>;
  status: Generated<string>;
  symbol: string;
  interval: string;
  request: Jsonb;
  sample_count: number;
  done_count: Generated<number>;
  join_job_id: Generated<string>;
  result: Jsonb | null;
  failure: string | null;
  updated_at: Generated<Timestamp>;
  finished_at: Timestamp | null;
  started_at: Timestamp | null;
  trials: Buffer | null;
  step: Generated<number>;
  stage: Generated<string>;
  minute_candles: number | null;
}

export interface BacktestStatesTable {
  user_id: string;
  symbol: string;
  interval: string;
  params: Jsonb;
  optimize: Jsonb | null;
  metrics: Jsonb | null;
  strategy: Jsonb | null;
  updated_at: Generated<Timestamp>;
}

export interface BacktestTrialsTable {
  id: Generated<string>;
  user_id: string;
  tried_at: Generated<Timestamp>;
  tried: string;
  data_hash: string;
  series: string | null;
  from_ms: number;
  to_ms: number;
  trials: number;
  looks: number;
  is_search: boolean;
  kind: string;
  closes: string | null;
}

export interface BacktestsTable {
  id: Generated<string>;
  user_id: string;
  created_at: Generated<Timestamp>;
  symbol: string;
  interval: string;
  params: Jsonb;
  name: string | null;
  setup: Jsonb | null;
  strategy: Jsonb | null;
  is_profitable: GeneratedAlways<boolean | null>;
  result: Jsonb;
  engine_hash: string;
  data_hash: string;
  params_hash: string;
  result_hash: string;
}

export interface BalancesTable {
  user_id: string;
  credits: Generated<number>;
  owed_credits: Generated<number>;
  updated_at: Generated<Timestamp>;
}

export interface ChartDrawingsTable {
  user_id: string;
  symbol: string;
  version: number;
  drawings: Jsonb;
  updated_at: Generated<Timestamp>;
}

export interface ChartLayoutsTable {
  id: Generated<string>;
  user_id: string;
  name: string;
  value: Jsonb;
  updated_at: Generated<Timestamp>;
}

export interface CreditLedgerTable {
  id: Generated<string>;
  seq: GeneratedAlways<number>;
  user_id: string;
  kind: string;
  reason: string;
  delta_credits: number;
  ref: string | null;
  idempotency_key: string;
  hold_id: string | null;
  expires_at: Timestamp | null;
  note: string | null;
  api_key_id: string | null;
  created_at: Generated<Timestamp>;
}

export interface DeletionRequestsTable {
  user_id: string;
  requested_at: Generated<Timestamp>;
  erase_after: Timestamp;
  erasing_at: Timestamp | null;
  tried_at: Timestamp | null;
}

export interface EquityPointsTable {
  user_id: string;
  market: string;
  created_at: Timestamp;
  balance: string;
  realised: string;
  unrealised: string | null;
  exposure: string | null;
  missing: number;
}

export interface FollowsTable {
  user_id: string;
  followed_id: string;
  created_at: Generated<Timestamp>;
}

export interface FoundSignalsTable {
  user_id: string;
  created_at: Generated<Timestamp>;
  scan_id: string;
  signal_ids: string[];
}

export interface HealthChecksTable {
  id: Generated<string>;
  created_at: Generated<Timestamp>;
  minute: Timestamp;
  status: string;
  message: string;
  response_time_ms: number | null;
  external_api_status: string;
  error: string | null;
}

export interface HelpArticlesTable {
  id: Generated<string>;
  slug: string;
  category_slug: string;
  title: string;
  question: string;
  tags: string[];
  content_md: string;
  sections: Jsonb;
  related: string[];
  is_featured: boolean;
  place: number;
  body_text: string;
  content_hash: string;
  created_at: Timestamp;
  updated_at: Generated<Timestamp>;
}

export interface HelpCategoriesTable {
  slug: string;
  name: string;
  place: number;
}

export interface HelpMessagesTable {
  id: Generated<string>;
  user_id: string;
  role: string;
  text: string;
  written_by: string | null;
  sources: Generated<Jsonb>;
  suggested: Generated<Jsonb>;
  created_at: Generated<Timestamp>;
}

export interface HelpRatingsTable {
  message_id: string;
  user_id: string;
  is_helpful: boolean;
  created_at: Generated<Timestamp>;
}

export interface HistoryBackfillsTable {
  source: string;
  exchange: string;
  state: string;
  stored_count: number;
  total_count: number;
  error_code: string | null;
  error_message: string | null;
  error_at: Timestamp | null;
  updated_at: Generated<Timestamp>;
}

export interface HistoryBrokenChunksTable {
  id: GeneratedAlways<number>;
  source: string;
  exchange: string;
  symbol: string;
  interval: string;
  price: string;
  month: string;
  payload: Buffer;
  sha256: Buffer;
  reason: string;
  detected_at: Generated<Timestamp>;
}

export interface HistoryChunksTable {
  source: string;
  exchange: string;
  symbol: string;
  interval: string;
  price: string;
  month: string;
  payload: Buffer;
  sha256: Buffer;
  candle_count: number;
  first_at: Timestamp | null;
  last_at: Timestamp | null;
  covered: number[];
  revised_count: Generated<number>;
  written_at: Generated<Timestamp>;
}

export interface HistoryFailuresTable {
  source: string;
  exchange: string;
  symbol: string;
  part: string;
  code: string;
  message: string;
  failure_count: number;
  failed_at: Generated<Timestamp>;
  try_at: Timestamp;
}

export interface HistoryFundingsTable {
  source: string;
  exchange: string;
  symbol: string;
  year: number;
  payload: Buffer;
  sha256: Buffer;
  funding_count: number;
  covered: number[];
  written_at: Generated<Timestamp>;
}

export interface HistoryListingsTable {
  source: string;
  exchange: string;
  symbol: string;
  listed_at: Timestamp | null;
  first_seen_at: Timestamp;
  last_seen_at: Timestamp;
  ended_at: Timestamp | null;
  rules: Jsonb | null;
}

export interface HistoryRevisionsTable {
  source: string;
  exchange: string;
  symbol: string;
  interval: string;
  price: string;
  opens_at: Timestamp;
  revision: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  noticed_at: Generated<Timestamp>;
}

export interface HistoryUniversesTable {
  source: string;
  exchange: string;
  day: string;
  symbols: string[];
}

export interface IdempotencyKeysTable {
  user_id: string;
  route: string;
  key: string;
  body_hash: string;
  status: number;
  answer: Jsonb;
  created_at: Generated<Timestamp>;
  expires_at: Timestamp;
}

export interface JobRunsTable {
  job_id: string;
  queue: string;
  process_id: string | null;
  death_count: Generated<number>;
  started_at: Generated<Timestamp>;
  set_aside_at: Timestamp | null;
}

export interface JournalEntriesTable {
  position_id: string;
  user_id: string;
  note: string;
  tags: string[];
  revision: number;
  updated_at: Generated<Timestamp>;
}

export interface JournalPicturesTable {
  position_id: string;
  user_id: string;
  picture: Buffer;
  width: number;
  height: number;
  created_at: Generated<Timestamp>;
}

export interface LeadershipsTable {
  name: string;
  epoch: Generated<number>;
  node: string;
  taken_at: Generated<Timestamp>;
  expires_at: Generated<Timestamp>;
}

export interface MailsTable {
  id: Generated<string>;
  sealed: string;
  attempt_count: Generated<number>;
  next_attempt_at: Generated<Timestamp>;
  expires_at: Timestamp;
  created_at: Generated<Timestamp>;
}

export interface NewsTable {
  id: Generated<string>;
  created_at: Generated<Timestamp>;
  market: string;
  kind: string;
  title: string;
  link: string;
  pub_date: Timestamp;
  latest_at: Timestamp | null;
  source: string;
  author: string | null;
  description: Generated<string>;
  content: Generated<string>;
  first_seen_at: Timestamp;
  story_id: string;
  symbols: Generated<string[]>;
  keywords: Generated<string[]>;
  keyword_version: number;
  sentiment: number;
  is_high_impact: boolean;
  is_simulated: boolean;
  is_dated: Generated<boolean>;
  previous_read_at: Timestamp | null;
}

export interface NewsFeedsTable {
  market: string;
  name: string;
  url: string;
  etag: string | null;
  last_modified: string | null;
  cursor: string | null;
  failure_count: Generated<number>;
  failure: string | null;
  date_note: string | null;
  next_read_at: Generated<Timestamp>;
  last_ok_at: Timestamp | null;
  url_since: Generated<Timestamp>;
  is_simulated: Generated<boolean>;
}

export interface NewsReactionsTable {
  news_id: string;
  symbol: string;
  horizon_minutes: number;
  known_at: Timestamp;
  return_fraction: number;
  z: number;
  sample_count: number;
  p: number;
  volume_ratio: number;
}

export interface NewsReadsTable {
  user_id: string;
  news_id: string;
  read_at: Generated<Timestamp>;
}

export interface NewsReplaysTable {
  news_id: string;
  symbol: string;
  seen_at: Timestamp;
  known_at: Timestamp;
  measured_at: Generated<Timestamp>;
  return_fraction: number;
  z: number;
  sample_count: number;
  p: number;
}

export interface NewsSettingsTable {
  user_id: string;
  hidden_sources: Generated<string[]>;
  symbols: Generated<string[]>;
  is_high_impact_only: Generated<boolean>;
  shows_posts: Generated<boolean>;
  shows_chart_marks: Generated<boolean>;
  updated_at: Generated<Timestamp>;
}

export interface NotificationDeliveriesTable {
  id: Generated<string>;
  notification_id: string;
  user_id: string;
  channel: string;
  webhook_id: string | null;
  sequence: number | null;
  push_id: string | null;
  state: Generated<string>;
  attempt_count: Generated<number>;
  next_attempt_at: Generated<Timestamp>;
  status: number | null;
  failure: string | null;
  duration_ms: number | null;
  finished_at: Timestamp | null;
  created_at: Generated<Timestamp>;
}

export interface NotificationTargetsTable {
  user_id: string;
  channel: string;
  address: string;
  label: string | null;
  is_on: Generated<boolean>;
  kinds: Generated<string[]>;
  off_reason: string | null;
  failing_since: Timestamp | null;
  created_at: Generated<Timestamp>;
}

export interface NotificationsTable {
  id: Generated<string>;
  user_id: string;
  kind: string;
  key: string;
  payload: Jsonb;
  created_at: Generated<Timestamp>;
  dispatched_at: Timestamp | null;
}

export interface OrdersTable {
  id: Generated<string>;
  user_id: string;
  exchange: string;
  market: string;
  symbol: string;
  interval: string;
  side: string;
  type: string;
  status: string;
  reduce_only: boolean;
  quantity: string;
  price: string | null;
  leverage: number;
  scan_id: string | null;
  signal_id: string | null;
  confidence: Generated<number>;
  stop_loss: string | null;
  take_profits: Jsonb | null;
  trail: Jsonb | null;
  expires_at: Timestamp | null;
  tick_size: Generated<string>;
  step_size: Generated<string>;
  min_notional: Generated<string>;
  reserved: Generated<string>;
  active_from: Timestamp;
  revision: Generated<number>;
  created_at: Generated<Timestamp>;
  ended_at: Timestamp | null;
  cancel_reason: string | null;
  message: string | null;
  fill_price: string | null;
  fill_quantity: string | null;
  fill_fee: string | null;
  fill_role: string | null;
  position_id: string | null;
}

export interface PatternRecordsTable {
  source: string;
  exchange: string;
  symbol: string;
  interval: string;
  engine_hash: string;
  horizon_candles: number;
  window_from: Timestamp;
  window_to: Timestamp;
  candle_count: number;
  higher_count: number;
  lower_count: number;
  patterns: Jsonb;
  created_at: Generated<Timestamp>;
}

export interface PaymentComparisonsTable {
  id: Generated<string>;
  compared_at: Generated<Timestamp>;
  transfer_count: number;
  provider_credits: number;
  ledger_credits: number;
  differing: Generated<string[]>;
}

export interface PaymentEventsTable {
  id: Generated<string>;
  seq: GeneratedAlways<number>;
  payment_id: string;
  user_id: string;
  kind: string;
  status: string;
  provider: string;
  provider_payment_id: string | null;
  provider_status: string | null;
  credits: Generated<number>;
  paid_amount: string | null;
  pay_currency: string | null;
  transaction_hash: string | null;
  note: string | null;
  idempotency_key: string;
  created_at: Generated<Timestamp>;
}

export interface PaymentTransitionsTable {
  from_status: string;
  to_status: string;
}

export interface PaymentsTable {
  id: Generated<string>;
  user_id: string;
  tokens: number;
  amount_cents: number;
  method: string;
  provider: string;
  provider_order_id: Generated<string>;
  provider_payment_id: string | null;
  status: Generated<string>;
  provider_status: string | null;
  pay_address: string | null;
  pay_amount: string | null;
  pay_currency: string | null;
  pay_memo: string | null;
  payment_url: string | null;
  paid_amount: string | null;
  transaction_hash: string | null;
  credits: Generated<number>;
  credits_refunded: Generated<number>;
  note: string | null;
  expires_at: Timestamp;
  credited_at: Timestamp | null;
  checked_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
}

export interface PositionEventsTable {
  id: Generated<string>;
  seq: GeneratedAlways<number>;
  user_id: string;
  position_id: string | null;
  run_id: string | null;
  kind: string;
  at: Timestamp;
  data: Jsonb;
  created_at: Generated<Timestamp>;
}

export interface PositionFillsTable {
  id: Generated<string>;
  seq: GeneratedAlways<number>;
  user_id: string;
  position_id: string;
  kind: string;
  role: string;
  price: string;
  quantity: string;
  fee: string;
  market_price: string | null;
  half_spread: string | null;
  pnl: Generated<string>;
  reason: string | null;
  order_id: string | null;
  at: Timestamp;
  created_at: Generated<Timestamp>;
}

export interface PositionMarksTable {
  market: string;
  exchange: string;
  symbol: string;
  price: string;
  at: Timestamp;
}

export interface PositionReconciliationsTable {
  position_id: string;
  user_id: string;
  created_at: Generated<Timestamp>;
  not_comparable: string | null;
  live_net: string;
  lab_net: string | null;
  revision: string | null;
  entry: string | null;
  slippage: string | null;
  mark: string | null;
  exit: string | null;
  size: string | null;
  fees: string | null;
  funding: string | null;
  rest: string | null;
  lab: Jsonb | null;
}

export interface PositionWatchTable {
  market: string;
  exchange: string;
  symbol: string;
  next_candle_at: Timestamp;
}

export interface PositionsTable {
  id: Generated<string>;
  user_id: string;
  opening_ref: string;
  source: string;
  scan_id: string | null;
  signal_id: string | null;
  exchange: string;
  market: string;
  symbol: string;
  side: string;
  interval: string;
  entry_price: string;
  qty: string;
  leverage: number;
  stop_loss: string;
  initial_stop_loss: string;
  take_profit: string;
  liquidation_approx: string | null;
  confidence: number;
  risk_multiplier: number;
  loss_at_stop: string;
  tick_size: string;
  taker_fee_fraction: string;
  trailing_enabled: boolean;
  trail_mode: string | null;
  trail_callback_pct: number | null;
  trail_step_pct: number | null;
  trail_atr_mult: number | null;
  trail_atr_period: number | null;
  trail_activation_pct: number | null;
  trailing_by_owner: Generated<boolean>;
  trail_peak: string;
  opened_at: Timestamp;
  armed_at: Timestamp | null;
  funded_until: Timestamp;
  fees: string;
  funding: Generated<string>;
  closed_at: Timestamp | null;
  close_price: string | null;
  close_reason: string | null;
  strategy: Jsonb | null;
  strategy_name: string | null;
  strategy_version: string | null;
  exit_due_at: Timestamp | null;
  exit_due_reason: string | null;
  changes: Generated<number>;
  changes_applied: Generated<number>;
  changes_pending: Jsonb | null;
  fill_count: Generated<number>;
  last_fill_at: Timestamp | null;
  entered: string | null;
  entered_qty: string | null;
  exited: string | null;
  realised: Generated<string>;
  targets: Jsonb | null;
  step_size: Generated<string>;
  min_notional: Generated<string>;
  margin: GeneratedAlways<string | null>;
  pnl: GeneratedAlways<string | null>;
  roi_pct: GeneratedAlways<string | null>;
  net_pnl: GeneratedAlways<string | null>;
  return_on_margin_pct: GeneratedAlways<string | null>;
}

export interface PreferencesTable {
  user_id: string;
  active_tab: Generated<string>;
  current_page: string | null;
  auto_scan_enabled: Generated<boolean>;
  min_auto_conf_pct: Generated<number>;
  positions_wanted: Generated<number>;
  balance_usdt: Generated<number>;
  leverage: Generated<number>;
  sizing_mode: Generated<string>;
  base_usdt: number | null;
  levels_mode: Generated<string>;
  risk_tolerance: Generated<string>;
  whitelist: Generated<string>;
  blacklist: Generated<string>;
  max_symbols: Generated<number>;
  interval_opts: Generated<Jsonb>;
  scan_interval: Generated<string>;
  dynamic_risk_on: Generated<boolean>;
  risk_min_pct: Generated<number>;
  risk_max_pct: Generated<number>;
  risk_smoothing: Generated<number>;
  risk_perf_lookback: Generated<number>;
  telegram: string | null;
  webhook: string | null;
  stop_loss_pct: Generated<number>;
  take_profit_pct: Generated<number>;
  max_concurrent_positions: Generated<number>;
  trailing_enabled: Generated<boolean>;
  trail_mode: Generated<string>;
  trail_callback_pct: Generated<number>;
  trail_step_pct: Generated<number>;
  trail_atr_mult: Generated<number>;
  trail_atr_period: Generated<number>;
  trail_activation_stops: Generated<number>;
  tuning_conf_floor: number | null;
  tuning_conf_floor_at: Timestamp | null;
  min_conf_on_score: Generated<boolean>;
  keep_scanning: Generated<boolean>;
  ai_soft_approval: Generated<boolean>;
  ai_allow_correction: Generated<boolean>;
  auto_open_enabled: Generated<boolean>;
  auto_open_noticed: Generated<boolean>;
  guard_daily_loss_pct: number | null;
  guard_stop_streak: number | null;
  guard_cooldown_minutes: Generated<number>;
  guard_drawdown_pct: number | null;
  guard_drawdown_since: Timestamp | null;
  guard_stops_pct: Generated<number | null>;
  guard_exposure_pct: Generated<number | null>;
  theme: string | null;
  palette: string | null;
  time_zone: string | null;
  updated_at: Generated<Timestamp>;
}

export interface PrivacySettingsTable {
  user_id: string;
  analytics: Generated<boolean>;
  research_sharing: Generated<boolean>;
  marketing: Generated<boolean>;
  public_stats: Generated<boolean>;
  leaderboard: Generated<boolean>;
  allow_follow: Generated<boolean>;
  updated_at: Generated<Timestamp>;
}

export interface ProfilesTable {
  user_id: string;
  id: GeneratedAlways<string | null>;
  display_name: string;
  username: string | null;
  bio: string | null;
  avatar_url: string | null;
  avatar_path: string | null;
  cover_url: string | null;
  cover_path: string | null;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
}

export interface ProofKeysTable {
  id: string;
  public_key: string;
  sealed: string;
  created_at: Generated<Timestamp>;
  retired_at: Timestamp | null;
}

export interface PushKeysTable {
  id: Generated<boolean>;
  public_key: string;
  sealed: string;
  created_at: Generated<Timestamp>;
}

export interface PushSubscriptionsTable {
  id: Generated<string>;
  user_id: string;
  endpoint: string;
  p256dh: string;
  sealed_auth: string;
  label: string;
  last_sent_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  failing_since: Timestamp | null;
}

export interface RateLimitsTable {
  key: string;
  hit_count: number;
  window_ends_at: Timestamp;
}

export interface ReceiptCountersTable {
  year: number;
  last_number: number;
}

export interface ReceiptsTable {
  id: Generated<string>;
  user_id: string | null;
  event_id: string | null;
  year: number;
  number: number;
  provider_order_id: string | null;
  provider_payment_id: string | null;
  method: string;
  credits: number;
  amount_cents: number;
  seller: Jsonb;
  created_at: Generated<Timestamp>;
}

export interface RecoveryCodesTable {
  id: Generated<string>;
  user_id: string;
  code_hash: string;
  created_at: Generated<Timestamp>;
}

export interface ReplayPausesTable {
  user_id: string;
  market: string;
  started_at: Timestamp;
  ends_at: Timestamp;
}

export interface ReplayReportsTable {
  market: string;
  strategy_version: string;
  engine_hash: string;
  as_of: Timestamp;
  symbol_count: number;
  series_wanted: number;
  series_count: number;
  report: Jsonb;
}

export interface ReplayedSeriesTable {
  market: string;
  exchange: string;
  symbol: string;
  interval: string;
  strategy_version: string;
  engine_hash: string;
  data_hash: string;
  created_at: Generated<Timestamp>;
  window_from: Timestamp;
  window_to: Timestamp;
  signal_count: number;
  open_count: number;
  has_ended: Generated<boolean>;
  signals: Buffer;
}

export interface SandboxClocksTable {
  user_id: string;
  version: number;
  world: Jsonb;
}

export interface ScanAiChecksTable {
  scan_id: string;
  user_id: string;
  symbol: string;
  interval: string;
  place: number;
  signal_id: string | null;
  state: Generated<string>;
  reason: string | null;
  decided_by: string | null;
  model: string | null;
  verdict: Jsonb | null;
  soft_approval: boolean;
  allow_correction: boolean;
  asked_at: Generated<Timestamp>;
  created_at: Generated<Timestamp>;
}

export interface ScanCandidatesTable {
  scan_id: string;
  user_id: string;
  symbol: string;
  interval: string;
  outcome: string;
  filtered_by: string | null;
  confidence: number | null;
  signal_id: string | null;
  created_at: Generated<Timestamp>;
}

export interface ScanDetailsTable {
  created_at: Timestamp;
  scan_id: string;
  user_id: string;
  packed: Buffer;
}

export interface ScansTable {
  id: Generated<string>;
  user_id: string;
  created_at: Generated<Timestamp>;
  status: Generated<string>;
  params: Jsonb;
  results: Jsonb | null;
  summary: Jsonb | null;
  credit_ref: string;
  failure: string | null;
  started_at: Timestamp | null;
  finished_at: Timestamp | null;
}

export interface SessionsTable {
  id: Generated<string>;
  user_id: string;
  token: string;
  expires_at: Timestamp;
  ip_address: string | null;
  user_agent: string | null;
  proved_at: Timestamp | null;
  last_seen_at: Generated<Timestamp>;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
}

export interface SignInNetworksTable {
  user_id: string;
  network_hash: string;
  used_at: Generated<Timestamp>;
}

export interface SignalCalibrationsTable {
  version: GeneratedAlways<number>;
  created_at: Generated<Timestamp>;
  market: string;
  interval: string;
  strategy_version: string;
  method: string;
  as_of: Timestamp;
  window_from: Timestamp | null;
  window_to: Timestamp | null;
  outcome_count: number;
  base_rate: number | null;
  points: Jsonb;
  mean_win_stops: number | null;
  mean_loss_stops: number | null;
}

export interface SignalMarksTable {
  market: string;
  exchange: string;
  symbol: string;
  price: number;
  at: Timestamp;
}

export interface SignalOutcomesTable {
  signal_id: string;
  created_at: Generated<Timestamp>;
  outcome: string;
  entry_price: number;
  exit_price: number;
  exit_at: Timestamp;
  gross_fraction: number;
  fees_fraction: number;
  net_fraction: number;
  is_ambiguous: boolean;
  basis: string;
  recorded_xid: Generated<string>;
}

export interface SignalTuningTable {
  user_id: string;
  weights: Generated<Jsonb>;
  updated_at: Generated<Timestamp>;
}

export interface SignalsTable {
  id: Generated<string>;
  created_at: Generated<Timestamp>;
  exchange: string;
  market: string;
  symbol: string;
  interval: string;
  candle_close_at: Timestamp;
  direction: string;
  score: number;
  raw_confidence: number;
  confidence: number;
  price: number;
  stop_loss: number;
  take_profit: number;
  horizon_minutes: number;
  risk_label: string;
  params: Jsonb;
  engine_hash: string;
  data_hash: string;
  params_hash: string;
  opinions: Jsonb | null;
  recorded_xid: Generated<string>;
  strategy_version: Generated<string>;
  confidence_kind: Generated<string>;
  calibration_version: number | null;
  chance: number | null;
  chance_n: number | null;
  chance_origin: string | null;
}

export interface StatusProbesTable {
  minute: Timestamp;
  part: string;
  is_ok: boolean;
  duration_ms: number;
  code: string | null;
}

export interface StoredFilesTable {
  id: Generated<string>;
  user_id: string;
  kind: string;
  path: string;
  media_type: string;
  byte_count: number;
  width: number;
  height: number;
  created_at: Generated<Timestamp>;
}

export interface StrategiesTable {
  id: Generated<string>;
  user_id: string;
  name: string;
  version: string;
  value: Jsonb;
  is_used: Generated<boolean>;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
}

export interface StrategyCalibrationsTable {
  version: GeneratedAlways<number>;
  created_at: Generated<Timestamp>;
  user_id: string;
  strategy_id: string;
  strategy_version: string;
  market: string;
  interval: string;
  method: string;
  as_of: Timestamp;
  window_from: Timestamp | null;
  window_to: Timestamp | null;
  outcome_count: number;
  base_rate: number | null;
  points: Jsonb;
  mean_win_stops: number | null;
  mean_loss_stops: number | null;
}

export interface StrategyHistoryTable {
  id: GeneratedAlways<number>;
  strategy_id: string;
  user_id: string;
  version: string;
  value: Jsonb;
  replaced_at: Generated<Timestamp>;
}

export interface StrategyOutcomesTable {
  strategy_id: string;
  strategy_version: string;
  signal_id: string;
  user_id: string;
  created_at: Generated<Timestamp>;
  outcome: string;
  deadline_at: Timestamp;
  entry_price: number;
  exit_price: number;
  exit_at: Timestamp;
  gross_fraction: number;
  fees_fraction: number;
  net_fraction: number;
  is_ambiguous: boolean;
  basis: string;
}

export interface StrategyReplayedSeriesTable {
  strategy_id: string;
  user_id: string;
  symbol: string;
  position: number;
  days: number[];
  has_ended: boolean;
  state: Generated<string>;
  attempts: Generated<number>;
  retry_at: Timestamp | null;
  failure: string | null;
  signal_count: Generated<number>;
  open_count: Generated<number>;
  signals: Generated<Buffer>;
}

export interface StrategyReplaysTable {
  strategy_id: string;
  user_id: string;
  version: string;
  value: Jsonb;
  market: string;
  state: Generated<string>;
  requested_at: Generated<Timestamp>;
  turn_at: Timestamp | null;
  attempts: Generated<number>;
  retry_at: Timestamp | null;
  symbols_wanted: number | null;
  symbols_done: Generated<number>;
  symbols_failed: Generated<number>;
  engine_hash: string | null;
  report: Jsonb | null;
  error: string | null;
  finished_at: Timestamp | null;
}

export interface StrategySignalsTable {
  strategy_id: string;
  strategy_version: string;
  signal_id: string;
  user_id: string;
  created_at: Generated<Timestamp>;
  confidence: number;
  confidence_kind: string;
  calibration_version: number | null;
}

export interface StrategyVersionsTable {
  strategy_id: string;
  version: string;
  user_id: string;
  value: Jsonb;
  created_at: Generated<Timestamp>;
}

export interface TelegramCursorTable {
  id: Generated<boolean>;
  next_update_id: Generated<number>;
  leased_until: Generated<Timestamp>;
}

export interface TelegramLinksTable {
  user_id: string;
  code_hash: string;
  expires_at: Timestamp;
  created_at: Generated<Timestamp>;
}

export interface TuningVersionsTable {
  id: Generated<string>;
  user_id: string;
  name: string;
  weights: Jsonb;
  created_at: Generated<Timestamp>;
}

export interface TwoFactorsTable {
  user_id: string;
  secret: string;
  confirmed_at: Timestamp | null;
  last_step: Generated<number>;
  created_at: Generated<Timestamp>;
}

export interface UsersTable {
  id: Generated<string>;
  name: string;
  email: string;
  email_verified: Generated<boolean>;
  image: string | null;
  username: string | null;
  display_username: string | null;
  welcome_hash: string | null;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
}

export interface VerificationsTable {
  id: Generated<string>;
  identifier: string;
  value: string;
  expires_at: Timestamp;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
}

export interface VisionAnalysesTable {
  id: Generated<string>;
  user_id: string;
  created_at: Generated<Timestamp>;
  status: Generated<string>;
  symbol: string | null;
  direction: string | null;
  result: Jsonb | null;
  picture: Buffer | null;
  credit_ref: string;
  failure: string | null;
  finished_at: Timestamp | null;
}

export interface VisionModelRefundsTable {
  user_id: string;
  day: Timestamp;
  count: number;
}

export interface VisionOutcomesTable {
  position_id: string;
  user_id: string;
  closed_at: Generated<Timestamp>;
  symbol: string;
  direction: string;
  sentiment: string;
  patterns: string[];
  net_pnl: number;
  roi_pct: number;
}

export interface VisionViewsTable {
  id: Generated<string>;
  user_id: string;
  created_at: Generated<Timestamp>;
  analysis_id: string;
  market: string;
  viewed_by: string;
  model: string | null;
  symbol: string;
  interval: string;
  direction: string;
  sentiment: string | null;
  patterns: string[];
  candle_at: Timestamp;
  close_price: number;
  due_at: Timestamp;
  graded_at: Timestamp | null;
  later_price: number | null;
}

export interface WatchlistTable {
  id: Generated<string>;
  user_id: string;
  symbol: string;
  created_at: Generated<Timestamp>;
}

export interface WebhookKeysTable {
  user_id: string;
  sealed: string;
  previous_sealed: string | null;
  previous_until: Timestamp | null;
  created_at: Generated<Timestamp>;
}

export interface WebhookSecretsTable {
  webhook_id: string;
  user_id: string;
  sealed: string;
  previous_sealed: string | null;
  previous_until: Timestamp | null;
  created_at: Generated<Timestamp>;
}

export interface WebhooksTable {
  id: Generated<string>;
  user_id: string;
  url: string;
  events: string[];
  payload: Generated<Jsonb>;
  secret_hint: string;
  is_on: Generated<boolean>;
  off_reason: string | null;
  failing_since: Timestamp | null;
  last_sequence: Generated<number>;
  last_test_at: Timestamp | null;
  last_test_succeeded: boolean | null;
  last_delivery_at: Timestamp | null;
  last_status: number | null;
  created_at: Generated<Timestamp>;
}

export interface WelcomeGrantsTable {
  email_hash: string;
  created_at: Generated<Timestamp>;
}

export interface DB {
  accounts: AccountsTable;
  ai_calls: AiCallsTable;
  ai_verdicts: AiVerdictsTable;
  alert_receipts: AlertReceiptsTable;
  alert_watermarks: AlertWatermarksTable;
  alerts: AlertsTable;
  announcements: AnnouncementsTable;
  api_calls: ApiCallsTable;
  api_key_networks: ApiKeyNetworksTable;
  api_key_secrets: ApiKeySecretsTable;
  api_keys: ApiKeysTable;
  api_leases: ApiLeasesTable;
  api_refused_counts: ApiRefusedCountsTable;
  api_stream_places: ApiStreamPlacesTable;
  api_subscriptions: ApiSubscriptionsTable;
  api_test_leases: ApiTestLeasesTable;
  api_usage_alerts: ApiUsageAlertsTable;
  arbitrage_announced: ArbitrageAnnouncedTable;
  arbitrage_days: ArbitrageDaysTable;
  arbitrage_episodes: ArbitrageEpisodesTable;
  arbitrage_fundings: ArbitrageFundingsTable;
  arbitrage_scans: ArbitrageScansTable;
  arbitrage_spreads: ArbitrageSpreadsTable;
  arbitrage_watches: ArbitrageWatchesTable;
  auth_tokens: AuthTokensTable;
  auto_run_items: AutoRunItemsTable;
  auto_runs: AutoRunsTable;
  away_scans: AwayScansTable;
  backtest_search_chunks: BacktestSearchChunksTable;
  backtest_search_inputs: BacktestSearchInputsTable;
  backtest_searches: BacktestSearchesTable;
  backtest_states: BacktestStatesTable;
  backtest_trials: BacktestTrialsTable;
  backtests: BacktestsTable;
  balances: BalancesTable;
  chart_drawings: ChartDrawingsTable;
  chart_layouts: ChartLayoutsTable;
  credit_ledger: CreditLedgerTable;
  deletion_requests: DeletionRequestsTable;
  equity_points: EquityPointsTable;
  follows: FollowsTable;
  found_signals: FoundSignalsTable;
  health_checks: HealthChecksTable;
  help_articles: HelpArticlesTable;
  help_categories: HelpCategoriesTable;
  help_messages: HelpMessagesTable;
  help_ratings: HelpRatingsTable;
  history_backfills: HistoryBackfillsTable;
  history_broken_chunks: HistoryBrokenChunksTable;
  history_chunks: HistoryChunksTable;
  history_failures: HistoryFailuresTable;
  history_fundings: HistoryFundingsTable;
  history_listings: HistoryListingsTable;
  history_revisions: HistoryRevisionsTable;
  history_universes: HistoryUniversesTable;
  idempotency_keys: IdempotencyKeysTable;
  job_runs: JobRunsTable;
  journal_entries: JournalEntriesTable;
  journal_pictures: JournalPicturesTable;
  leaderships: LeadershipsTable;
  mails: MailsTable;
  news: NewsTable;
  news_feeds: NewsFeedsTable;
  news_reactions: NewsReactionsTable;
  news_reads: NewsReadsTable;
  news_replays: NewsReplaysTable;
  news_settings: NewsSettingsTable;
  notification_deliveries: NotificationDeliveriesTable;
  notification_targets: NotificationTargetsTable;
  notifications: NotificationsTable;
  orders: OrdersTable;
  pattern_records: PatternRecordsTable;
  payment_comparisons: PaymentComparisonsTable;
  payment_events: PaymentEventsTable;
  payment_transitions: PaymentTransitionsTable;
  payments: PaymentsTable;
  position_events: PositionEventsTable;
  position_fills: PositionFillsTable;
  position_marks: PositionMarksTable;
  position_reconciliations: PositionReconciliationsTable;
  position_watch: PositionWatchTable;
  positions: PositionsTable;
  preferences: PreferencesTable;
  privacy_settings: PrivacySettingsTable;
  profiles: ProfilesTable;
  proof_keys: ProofKeysTable;
  push_keys: PushKeysTable;
  push_subscriptions: PushSubscriptionsTable;
  rate_limits: RateLimitsTable;
  receipt_counters: ReceiptCountersTable;
  receipts: ReceiptsTable;
  recovery_codes: RecoveryCodesTable;
  replay_pauses: ReplayPausesTable;
  replay_reports: ReplayReportsTable;
  replayed_series: ReplayedSeriesTable;
  sandbox_clocks: SandboxClocksTable;
  scan_ai_checks: ScanAiChecksTable;
  scan_candidates: ScanCandidatesTable;
  scan_details: ScanDetailsTable;
  scans: ScansTable;
  sessions: SessionsTable;
  sign_in_networks: SignInNetworksTable;
  signal_calibrations: SignalCalibrationsTable;
  signal_marks: SignalMarksTable;
  signal_outcomes: SignalOutcomesTable;
  signal_tuning: SignalTuningTable;
  signals: SignalsTable;
  status_probes: StatusProbesTable;
  stored_files: StoredFilesTable;
  strategies: StrategiesTable;
  strategy_calibrations: StrategyCalibrationsTable;
  strategy_history: StrategyHistoryTable;
  strategy_outcomes: StrategyOutcomesTable;
  strategy_replayed_series: StrategyReplayedSeriesTable;
  strategy_replays: StrategyReplaysTable;
  strategy_signals: StrategySignalsTable;
  strategy_versions: StrategyVersionsTable;
  telegram_cursor: TelegramCursorTable;
  telegram_links: TelegramLinksTable;
  tuning_versions: TuningVersionsTable;
  two_factors: TwoFactorsTable;
  users: UsersTable;
  verifications: VerificationsTable;
  vision_analyses: VisionAnalysesTable;
  vision_model_refunds: VisionModelRefundsTable;
  vision_outcomes: VisionOutcomesTable;
  vision_views: VisionViewsTable;
  watchlist: WatchlistTable;
  webhook_keys: WebhookKeysTable;
  webhook_secrets: WebhookSecretsTable;
  webhooks: WebhooksTable;
  welcome_grants: WelcomeGrantsTable;
}
