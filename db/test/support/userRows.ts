/** Long because it lists the rights and a row of every table with data of users. */

/** Rights of a signed-in user by table. A table that is missing here fails the first test. */
export const rights: Record<string, string[]> = {
  users: [],
  sessions: [],
  accounts: [],
  verifications: [],
  rate_limits: [],
  health_checks: [],
  status_probes: [],
  auth_tokens: [],
  two_factors: [],
  recovery_codes: [],
  mails: [],
  preferences: ['select', 'insert', 'update'],
  profiles: ['select', 'insert', 'update'],
  backtests: ['select', 'insert', 'update', 'delete'],
  backtest_trials: ['select', 'insert', 'delete'],
  backtest_states: ['select', 'insert', 'update', 'delete'],
  backtest_searches: ['select'],
  backtest_search_inputs: [],
  backtest_search_chunks: [],
  balances: ['select'],
  scans: ['select'],
  scan_candidates: ['select'],
  scan_details: ['select'],
  found_signals: ['select'],
  signals: ['select'],
  signal_outcomes: ['select'],
  signal_calibrations: ['select'],
  replayed_series: ['select'],
  replay_reports: ['select'],
  signal_tuning: ['select', 'insert', 'update'],
  tuning_versions: ['select', 'insert', 'delete'],
  strategies: ['select', 'insert', 'update', 'delete'],
  strategy_history: ['select', 'insert', 'delete'],
  strategy_versions: ['select'],
  strategy_calibrations: ['select'],
  strategy_signals: ['select'],
  strategy_outcomes: ['select'],
  strategy_replays: ['select', 'insert', 'delete'],
  strategy_replayed_series: [],
  replay_pauses: ['select', 'insert', 'update'],
  credit_ledger: ['select'],
  idempotency_keys: [],
  privacy_settings: ['select', 'insert', 'update'],
  deletion_requests: ['select'],
  stored_files: ['select', 'insert', 'delete'],
  follows: ['select', 'insert', 'delete'],
  announcements: [],
  welcome_grants: [],
  watchlist: ['select', 'insert', 'delete'],
  sandbox_clocks: ['select', 'insert', 'update'],
  chart_drawings: ['select', 'insert', 'update', 'delete'],
  chart_layouts: ['select', 'insert', 'update', 'delete'],
  journal_entries: ['select', 'insert', 'update', 'delete'],
  journal_pictures: ['select', 'insert', 'update', 'delete'],
  ai_calls: [],
  ai_verdicts: ['select'],
  scan_ai_checks: ['select'],
  alerts: ['select', 'insert', 'update', 'delete'],
  alert_receipts: ['select', 'update'],
  alert_watermarks: [],
  push_keys: [],
  proof_keys: [],
  push_subscriptions: ['select'],
  notification_targets: ['select'],
  away_scans: ['select'],
  webhook_keys: [],
  webhooks: ['select'],
  webhook_secrets: [],
  telegram_links: [],
  telegram_cursor: [],
  notifications: ['select'],
  notification_deliveries: ['select'],
  positions: ['select'],
  position_events: ['select'],
  position_fills: ['select'],
  position_reconciliations: ['select'],
  orders: ['select'],
  auto_runs: ['select'],
  auto_run_items: ['select'],
  equity_points: ['select'],
  position_watch: [],
  position_marks: [],
  signal_marks: [],
  leaderships: [],
  job_runs: [],
  sign_in_networks: [],
  arbitrage_scans: ['select'],
  arbitrage_watches: ['select', 'insert', 'delete'],
  vision_analyses: ['select'],
  vision_outcomes: ['select'],
  vision_views: ['select'],
  vision_model_refunds: [],
  arbitrage_episodes: [],
  arbitrage_spreads: [],
  arbitrage_days: [],
  arbitrage_fundings: [],
  arbitrage_announced: [],
  pattern_records: [],
  payments: ['select'],
  payment_events: ['select'],
  receipts: ['select'],
  payment_transitions: [],
  payment_comparisons: [],
  receipt_counters: [],
  news: ['select'],
  news_feeds: ['select'],
  news_reactions: ['select'],
  news_replays: ['select'],
  news_reads: ['select', 'insert', 'delete'],
  news_settings: ['select', 'insert', 'update'],
  help_categories: ['select'],
  help_articles: ['select'],
  help_messages: ['select', 'insert', 'delete'],
  help_ratings: ['select'],
  api_keys: ['select'],
  api_key_secrets: [],
  api_key_networks: [],
  api_subscriptions: ['select'],
  api_leases: [],
  api_test_leases: [],
  api_usage_alerts: [],
  api_stream_places: [],
  api_refused_counts: ['select'],
  api_calls: ['select'],
  history_chunks: [],
  history_revisions: [],
  history_broken_chunks: [],
  history_fundings: [],
  history_listings: [],
  history_universes: [],
  history_backfills: [],
  history_failures: [],
};
/** Tables that every signed-in user may read, because they name no user. */
export const publicTables = [
  ...[
    'signals',
    'signal_outcomes',
    'signal_calibrations',
    'replayed_series',
    'replay_reports',
    'news',
    'news_feeds',
    'news_reactions',
    'news_replays',
  ],
  ...['help_categories', 'help_articles'],
];
const hash = 'a'.repeat(64);

/** A story that every user may read. */
export const story = '10000000-0000-4000-8000-000000000001';
const storyRow = `insert into news (id, market, kind, title, link, pub_date, source, first_seen_at, story_id, keyword_version, sentiment,
  is_high_impact, is_simulated) values ('${story}', 'simulated', 'article', 'A story', 'https://a.example/1', now(), 'Wire', now(),
  '${story}', 1, 0, false, true) on conflict do nothing`;

/** A signal of the public record, another one each time. */
const signalRow = `insert into signals (exchange, market, symbol, interval, candle_close_at, direction, score, raw_confidence, confidence,
  price, stop_loss, take_profit, horizon_minutes, risk_label, params, engine_hash, data_hash, params_hash)
  values ('binance', 'simulated', 'S' || substr(gen_random_uuid()::text, 1, 8), '1h', now(), 'LONG', 0.4, 0.6, 0.6, 100, 98, 104, 30,
  'STANDARD', '{}', '${hash}', '${hash}', '${hash}')`;

/** A row of each table that belongs to a user, as the owner of the database would write it. */
export const rowOf: Record<string, (userId: string) => string> = {
  preferences: (id) => `insert into preferences (user_id) values ('${id}') on conflict do nothing`,
  profiles: (id) => `insert into profiles (user_id, display_name) values ('${id}', 'x') on conflict do nothing`,
  follows: (id) =>
    `with made as (insert into users (name, email) values ('Followed', gen_random_uuid() || '@example.com') returning id)
     insert into follows (user_id, followed_id) select '${id}', id from made`,
  backtests: (id) =>
    `insert into backtests (user_id, symbol, interval, params, result, engine_hash, data_hash, params_hash, result_hash)
     values ('${id}', 'BTCUSDT', '1h', '{}', '{}', '${hash}', '${hash}', '${hash}', '${hash}')`,
  backtest_trials: (id) =>
    `insert into backtest_trials (user_id, tried, data_hash, series, from_ms, to_ms, trials, looks, is_search, kind)
     values ('${id}', '${hash}', '${hash}', 'binance BTCUSDT 1h', 0, 1, 1, 1, false, 'classic')`,
  backtest_states: (id) =>
    `insert into backtest_states (user_id, symbol, interval, params) values ('${id}', 'BTCUSDT', '1h', '{}') on conflict do nothing`,
  backtest_searches: (id) =>
    `insert into backtest_searches (user_id, symbol, interval, request, sample_count)
     values ('${id}', 'BTCUSDT', '1h', '{}', 10)`,
  balances: (id) => `insert into balances (user_id) values ('${id}') on conflict do nothing`,
  credit_ledger: (id) =>
    `insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key)
     values ('${id}', 'grant', 'welcome', 10, 'welcome') on conflict do nothing`,
  privacy_settings: (id) => `insert into privacy_settings (user_id) values ('${id}') on conflict do nothing`,
  deletion_requests: (id) =>
    `insert into deletion_requests (user_id, erase_after) values ('${id}', now() + interval '7 days') on conflict do nothing`,
  stored_files: (id) =>
    `insert into stored_files (user_id, kind, path, media_type, byte_count, width, height)
     values ('${id}', 'avatar', '${id}/1700000000000.webp', 'image/webp', 9, 1, 1) on conflict do nothing`,
  news_reads: (id) =>
    `with made as (${storyRow}) insert into news_reads (user_id, news_id) values ('${id}', '${story}') on conflict do nothing`,
  news_settings: (id) => `insert into news_settings (user_id) values ('${id}') on conflict do nothing`,
  sandbox_clocks: (id) =>
    `insert into sandbox_clocks (user_id, version, world) values ('${id}', 1, '{}') on conflict do nothing`,
  chart_drawings: (id) =>
    `insert into chart_drawings (user_id, symbol, version, drawings) values ('${id}', 'BTCUSDT', 1, '[]') on conflict do nothing`,
  chart_layouts: (id) =>
    `insert into chart_layouts (user_id, name, value) values ('${id}', 'mine',
      '{"charts": [{"symbol": null, "interval": "1h", "scale": "linear", "indicators": []}], "pane_size": "medium"}') on conflict do nothing`,
  watchlist: (id) => `insert into watchlist (user_id, symbol) values ('${id}', 'BTCUSDT') on conflict do nothing`,
  ai_verdicts: (id) =>
    `insert into ai_verdicts (user_id, input_hash, prompt_hash, model, verdict)
     values ('${id}', '${hash}', '${hash}', 'm', '{}') on conflict do nothing`,
  scans: (id) => `insert into scans (user_id, params, credit_ref) values ('${id}', '{}', gen_random_uuid())`,
  scan_candidates: (id) =>
    `insert into scan_candidates (scan_id, user_id, symbol, interval, outcome)
     select id, '${id}', 'BTCUSDT', '1h', 'NEUTRAL' from scans where user_id = '${id}'`,
  scan_details: (id) =>
    `select scan_log.keep_days(30); insert into scan_details (created_at, scan_id, user_id, packed)
     values (now(), gen_random_uuid(), '${id}', 'x')`,
  found_signals: (id) =>
    `insert into found_signals (user_id, scan_id, signal_ids) values ('${id}', gen_random_uuid(), array[gen_random_uuid()])`,
  scan_ai_checks: (id) =>
    `insert into scan_ai_checks (scan_id, user_id, symbol, interval, place, soft_approval, allow_correction)
     select id, '${id}', 'BTCUSDT', '1h', 1, false, false from scans where user_id = '${id}' on conflict do nothing`,
  // The first has the id of its user, for the rows that refer to it.
  positions: (id) =>
    `insert into positions (id, user_id, opening_ref, source, exchange, market, symbol, side, interval, entry_price, qty, leverage,
       stop_loss, initial_stop_loss, take_profit, confidence, risk_multiplier, loss_at_stop, tick_size, taker_fee_fraction,
       trailing_enabled, trail_peak, opened_at, funded_until, fees)
     values ((select case when exists (select from positions where id = '${id}') then gen_random_uuid() else '${id}' end),
       '${id}', 'manual:' || gen_random_uuid(), 'manual', 'binance', 'simulated', 'BTCUSDT', 'LONG', '1h', 100, 1, 10, 98, 98, 104, 0.7, 1, 2,
       0.1, 0.0005, false, 100, now(), now(), 0.05)`,
  orders: (id) =>
    `insert into orders (user_id, exchange, market, symbol, interval, side, type, status, reduce_only, quantity, price, leverage, active_from)
     values ('${id}', 'binance', 'simulated', 'BTCUSDT', '1h', 'LONG', 'limit', 'resting', false, 1, 90, 10, now())`,
  journal_entries: (id) =>
    `insert into journal_entries (position_id, user_id, note, tags, revision)
     values ('${id}', '${id}', 'mine', '{breakout}', 1) on conflict do nothing`,
  journal_pictures: (id) =>
    `insert into journal_pictures (position_id, user_id, picture, width, height)
     values ('${id}', '${id}', '\\x01', 1, 1) on conflict do nothing`,
  position_fills: (id) =>
    `insert into position_fills (user_id, position_id, kind, role, price, quantity, fee, at)
     select '${id}', id, 'add', 'taker', 100, 1, 0.05, now() from positions where user_id = '${id}' limit 1`,
  position_reconciliations: (id) =>
    `insert into position_reconciliations (position_id, user_id, not_comparable, live_net)
     select id, '${id}', 'no_candles', 1 from positions where user_id = '${id}' on conflict do nothing`,
  auto_runs: (id) =>
    `insert into auto_runs (user_id, scan_id) select '${id}', id from scans where user_id = '${id}' on conflict do nothing`,
  auto_run_items: (id) =>
    `insert into auto_run_items (run_id, user_id, symbol, interval, outcome, message)
     select id, '${id}', 'BTCUSDT', '1h', 'NEUTRAL', 'x' from auto_runs where user_id = '${id}' on conflict do nothing`,
  position_events: (id) =>
    `insert into position_events (user_id, kind, at, data) values ('${id}', 'skipped', now(), '{}')`,
  equity_points: (id) =>
    `insert into equity_points (user_id, market, created_at, balance, realised, unrealised, exposure, missing)
     values ('${id}', 'simulated', now(), 1000, 0, 0, 0, 0)`,
  payments: (id) =>
    `insert into payments (user_id, tokens, amount_cents, method, provider, status, expires_at)
     values ('${id}', 20, 2000, 'usdt', 'nowpayments', 'CANCELLED', now())`,
  payment_events: (id) =>
    `insert into payment_events (payment_id, user_id, kind, status, provider, provider_payment_id, credits, idempotency_key)
     select id, '${id}', 'cancelled', 'CANCELLED', 'nowpayments', '${id}', 0, '${id}' from payments where user_id = '${id}'`,
  receipts: (id) =>
    `insert into receipts (user_id, event_id, year, number, provider_order_id, method, credits, amount_cents, seller)
     select '${id}', id, 2026, (select coalesce(max(number), 0) + 1 from receipts), gen_random_uuid(), 'usdt', 20, 2000, '{}'
     from payment_events where user_id = '${id}'`,
  arbitrage_scans: (id) =>
    `insert into arbitrage_scans (user_id, params, credit_ref) values ('${id}', '{}', gen_random_uuid())`,
  vision_analyses: (id) =>
    `insert into vision_analyses (user_id, credit_ref) values ('${id}', gen_random_uuid()) on conflict do nothing`,
  vision_views: (id) =>
    `insert into vision_views (user_id, analysis_id, market, viewed_by, symbol, interval, direction, patterns, candle_at, close_price, due_at)
     values ('${id}', gen_random_uuid(), 'simulated', 'rules', 'BTCUSDT', '1h', 'LONG', '{}', now(), 1, now() + interval '10 hours')`,
  vision_outcomes: (id) =>
    `insert into vision_outcomes (position_id, user_id, symbol, direction, sentiment, patterns, net_pnl, roi_pct)
     values (gen_random_uuid(), '${id}', 'BTCUSDT', 'LONG', 'bullish', '{hammer}', 1, 2)`,
  arbitrage_watches: (id) =>
    `insert into arbitrage_watches (user_id, market, symbol, buy, sell, net_pct, hold_hours, buy_fee, sell_fee)
     values ('${id}', 'simulated', 'BTCUSDT', 'binance', 'okx', 0.1, 8, 0.0005, 0.0005)`,
  help_messages: (id) => `insert into help_messages (user_id, role, text) values ('${id}', 'user', 'x')`,
  help_ratings: (id) =>
    `insert into help_ratings (message_id, user_id, is_helpful) values (gen_random_uuid(), '${id}', true)`,
  signal_tuning: (id) => `insert into signal_tuning (user_id) values ('${id}') on conflict do nothing`,
  tuning_versions: (id) => `insert into tuning_versions (user_id, name, weights) values ('${id}', 'mine', '{}')`,
  strategies: (id) =>
    `insert into strategies (user_id, name, version, value) values ('${id}', 'mine', repeat('0', 64), '{}')`,
  strategy_history: (id) =>
    `insert into strategy_history (strategy_id, user_id, version, value)
     values (coalesce((select id from strategies where user_id = '${id}'), gen_random_uuid()), '${id}', repeat('0', 64), '{}')`,
  strategy_versions: (id) =>
    `insert into strategy_versions (strategy_id, version, user_id, value)
     select id, version, user_id, value from strategies where user_id = '${id}' on conflict do nothing`,
  strategy_calibrations: (id) =>
    `insert into strategy_calibrations (user_id, strategy_id, strategy_version, market, interval, method, as_of, outcome_count, points)
     select user_id, strategy_id, version, 'simulated', '1h', 'x', now(), 0, '[]' from strategy_versions where user_id = '${id}'`,
  strategy_signals: (id) =>
    `with made as (${signalRow} returning id)
     insert into strategy_signals (strategy_id, strategy_version, user_id, signal_id, confidence, confidence_kind)
     select v.strategy_id, v.version, v.user_id, made.id, 0.5, 'score' from strategy_versions v, made where v.user_id = '${id}'`,
  strategy_outcomes: (id) =>
    `insert into strategy_outcomes (strategy_id, strategy_version, signal_id, user_id, outcome, deadline_at, entry_price, exit_price,
       exit_at, gross_fraction, fees_fraction, net_fraction, is_ambiguous, basis)
     select strategy_id, strategy_version, signal_id, user_id, 'SIGNAL', now(), 100, 101, now(), 0.01, 0.001, 0.009, false, '1m'
     from strategy_signals where user_id = '${id}' on conflict do nothing`,
  strategy_replays: (id) =>
    `insert into strategy_replays (strategy_id, user_id, version, value, market)
     values (coalesce((select id from strategies where user_id = '${id}'), gen_random_uuid()), '${id}', repeat('0', 64), '{}', 'simulated') on conflict do nothing`,
  replay_pauses: (id) =>
    `insert into replay_pauses (user_id, market, started_at, ends_at) values ('${id}', 'simulated', now(), now()) on conflict do nothing`,
  away_scans: (id) =>
    `insert into away_scans (user_id, slot_at, refused) values ('${id}', '2026-01-01', 'insufficient_credits') on conflict do nothing`,
  alerts: (id) =>
    `insert into alerts (user_id, market, condition, channels, since_ms) values ('${id}', 'simulated', '{"kind": "news", "symbol": "BTCUSDT", "high_impact": false}', '{page}', 0)`,
  alert_receipts: (id) =>
    `insert into alert_receipts (alert_id, user_id, firing, condition, evidence, channels, exchange_at, detected_at, is_late)
     select id, '${id}', 1, condition, '{"side_before": null, "value": 1, "before": null, "basis": null,
       "observation": {"source": "value", "value": 1, "atMs": 0}}', '{page}', now(), now(), false from alerts where user_id = '${id}' limit 1 on conflict do nothing`,
  push_subscriptions: (id) =>
    `insert into push_subscriptions (user_id, endpoint, p256dh, sealed_auth, label)
     values ('${id}', 'https://push.example/' || gen_random_uuid(), repeat('a', 87), 'x', 'Chrome on Linux')`,
  notification_targets: (id) =>
    `insert into notification_targets (user_id, channel, address) values ('${id}', 'telegram', '1') on conflict do nothing`,
  notifications: (id) =>
    `insert into notifications (user_id, kind, key, payload) values ('${id}', 'test', '1', '{}') on conflict do nothing`,
  notification_deliveries: (id) =>
    `insert into notification_deliveries (notification_id, user_id, channel)
     select id, '${id}', 'telegram' from notifications where user_id = '${id}' on conflict do nothing`,
  webhooks: (id) =>
    `insert into webhooks (user_id, url, events, secret_hint) values ('${id}', 'https://example.com', '{credits.low}', 'abcd')`,
  api_keys: (id) => `insert into api_keys (user_id, name) values ('${id}', 'Server key')`,
  // Paid by a hold of the row's own, so that plan and ledger agree; the balance gets what it takes.
  api_subscriptions: (id) =>
    `with paid as (insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key)
       values ('${id}', 'grant', 'purchase', 100, gen_random_uuid()::text)),
     held as (insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key, expires_at)
       values ('${id}', 'hold', 'plan', -100, gen_random_uuid()::text, now()) returning id),
     made as (insert into credit_ledger (user_id, kind, reason, delta_credits, idempotency_key, hold_id)
       select '${id}', 'capture', 'plan', 0, 'capture:' || id, id from held)
     insert into api_subscriptions (user_id, plan, price_credits, credit_ref, expires_at)
     select '${id}', 'STARTER', 100, id, now() + interval '30 days' from held`,
  api_refused_counts: (id) =>
    `with made as (insert into api_keys (user_id, name) values ('${id}', 'Refused key') returning id)
     insert into api_refused_counts (key_id, user_id, hour, count) select id, '${id}', date_trunc('hour', now()), 1 from made`,
  api_calls: (id) =>
    `select api_log.keep_days(30); insert into api_calls (created_at, request_id, user_id, key_id, method, route, path, status, duration_ms, ip)
     values (now(), gen_random_uuid(), '${id}', gen_random_uuid(), 'GET', '/api/klines', '/api/klines', 200, 3, '127.0.0.1')`,
};
/** A harmless change, to see whether a row can be reached for writing. */
export const touch: Record<string, string> = {
  alerts: `note = 'touched'`,
  alert_receipts: 'shown_at = now()',
  push_subscriptions: `label = 'touched'`,
  api_keys: `name = 'touched'`,
  webhooks: `secret_hint = 'zzzz'`,
  arbitrage_scans: `status = 'empty'`,
  arbitrage_watches: 'net_pct = 1',
  vision_analyses: `symbol = 'TOUCHED'`,
  vision_outcomes: 'net_pnl = 9',
  vision_views: 'close_price = 2',
  api_subscriptions: 'ended_at = now()',
  api_refused_counts: 'count = 2',
  api_calls: 'credits = 1',
  preferences: 'leverage = 42',
  profiles: `display_name = 'touched'`,
  backtests: `name = 'TOUCHED'`,
  backtest_states: `symbol = 'TOUCHED'`,
  backtest_trials: 'trials = 9',
  backtest_searches: 'done_count = 1',
  balances: 'credits = 1000',
  credit_ledger: `note = 'touched'`,
  privacy_settings: 'marketing = true',
  deletion_requests: `erase_after = now() + interval '9 days'`,
  stored_files: `kind = 'cover'`,
  news_reads: 'read_at = now()',
  news_settings: 'shows_posts = false',
  watchlist: `symbol = 'ETHUSDT'`,
  sandbox_clocks: 'version = 2',
  chart_drawings: 'version = 2',
  chart_layouts: `name = 'other'`,
  journal_entries: `note = 'other'`,
  journal_pictures: 'width = 2',
  follows: 'created_at = now()',
  ai_verdicts: `model = 'touched'`,
  scan_ai_checks: 'soft_approval = true',
  scans: `status = 'failed'`,
  scan_candidates: `outcome = 'ZERO_QTY'`,
  scan_details: `packed = 'y'`,
  found_signals: 'created_at = now()',
  positions: 'fees = 9',
  position_events: `kind = 'armed'`,
  position_fills: 'fee = 9',
  position_reconciliations: 'live_net = 9',
  orders: 'quantity = 2',
  auto_runs: 'finished_at = now()',
  auto_run_items: `message = 'touched'`,
  equity_points: 'missing = 0',
  payments: `note = 'touched'`,
  payment_events: `note = 'touched'`,
  receipts: 'credits = 1',
  help_messages: `text = 'touched'`,
  help_ratings: 'is_helpful = false',
  signal_tuning: `weights = '{"adx": 1.5}'`,
  tuning_versions: `name = 'touched'`,
  strategies: `name = 'touched'`,
  strategy_history: `value = '{}'`,
  strategy_versions: `value = '{}'`,
  strategy_calibrations: 'outcome_count = 9',
  strategy_signals: 'confidence = 0.9',
  strategy_outcomes: 'net_fraction = 1',
  strategy_replays: 'symbols_done = 9',
  replay_pauses: 'ends_at = ends_at',
  away_scans: `refused = 'insufficient_credits'`,
  notification_targets: `label = 'touched'`,
  notifications: 'dispatched_at = now()',
  notification_deliveries: 'attempt_count = 9',
};
