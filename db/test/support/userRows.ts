/** What each table lets a signed-in person do. A table that is missing here fails the first test. */
export const rights: Record<string, string[]> = {
  users: [],
  sessions: [],
  accounts: [],
  verifications: [],
  rate_limits: [],
  health_checks: [],
  auth_tokens: [],
  two_factors: [],
  recovery_codes: [],
  mails: [],
  preferences: ['select', 'insert', 'update'],
  profiles: ['select', 'insert', 'update'],
  backtests: ['select', 'insert', 'delete'],
  backtest_states: ['select', 'insert', 'update', 'delete'],
  backtest_searches: ['select'],
  backtest_search_inputs: [],
  backtest_search_chunks: [],
  balances: ['select'],
  scans: ['select'],
  scan_candidates: ['select'],
  signals: ['select'],
  signal_outcomes: ['select'],
  signal_tuning: ['select', 'insert', 'update'],
  tuning_versions: ['select', 'insert', 'delete'],
  credit_ledger: ['select'],
  idempotency_keys: [],
  privacy_settings: ['select', 'insert', 'update'],
  deletion_requests: ['select'],
  stored_files: ['select', 'insert', 'delete'],
  follows: ['select', 'insert', 'delete'],
  announcements: [],
  welcome_grants: [],
  watchlist: ['select', 'insert', 'delete'],
  ai_calls: [],
  ai_verdicts: ['select'],
  scan_ai_checks: ['select'],
  notification_targets: ['select'],
  away_scans: ['select'],
  webhook_keys: [],
  telegram_links: [],
  telegram_cursor: [],
  notifications: ['select'],
  notification_deliveries: ['select'],
  positions: ['select'],
  position_events: ['select'],
  auto_runs: ['select'],
  auto_run_items: ['select'],
  equity_points: ['select'],
  position_watch: [],
  leaderships: [],
  job_runs: [],
  sign_in_networks: [],
  payments: ['select'],
  payment_events: ['select'],
  receipts: ['select'],
  payment_transitions: [],
  payment_comparisons: [],
  receipt_counters: [],
};
/** What every signed-in person may read, because it names nobody. */
export const publicTables = ['signals', 'signal_outcomes'];
const hash = 'a'.repeat(64);

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
  watchlist: (id) => `insert into watchlist (user_id, symbol) values ('${id}', 'BTCUSDT') on conflict do nothing`,
  ai_verdicts: (id) =>
    `insert into ai_verdicts (user_id, input_hash, prompt_hash, model, verdict)
     values ('${id}', '${hash}', '${hash}', 'm', '{}') on conflict do nothing`,
  scans: (id) => `insert into scans (user_id, params, credit_ref) values ('${id}', '{}', gen_random_uuid())`,
  scan_candidates: (id) =>
    `insert into scan_candidates (scan_id, user_id, symbol, interval, outcome)
     select id, '${id}', 'BTCUSDT', '1h', 'NEUTRAL' from scans where user_id = '${id}'`,
  scan_ai_checks: (id) =>
    `insert into scan_ai_checks (scan_id, user_id, symbol, interval, place, soft_approval, allow_correction)
     select id, '${id}', 'BTCUSDT', '1h', 1, false, false from scans where user_id = '${id}' on conflict do nothing`,
  positions: (id) =>
    `insert into positions (user_id, opening_ref, source, exchange, market, symbol, side, interval, entry_price, qty, leverage,
       stop_loss, initial_stop_loss, take_profit, confidence, risk_multiplier, loss_at_stop, tick_size, taker_fee_fraction,
       trailing_enabled, trail_peak, opened_at, funded_until, fees)
     values ('${id}', 'manual:' || gen_random_uuid(), 'manual', 'binance', 'simulated', 'BTCUSDT', 'LONG', '1h', 100, 1, 10, 98, 98, 104, 0.7, 1, 2,
       0.1, 0.0005, false, 100, now(), now(), 0.05)`,
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
  signal_tuning: (id) => `insert into signal_tuning (user_id) values ('${id}') on conflict do nothing`,
  tuning_versions: (id) => `insert into tuning_versions (user_id, name, weights) values ('${id}', 'mine', '{}')`,
  away_scans: (id) =>
    `insert into away_scans (user_id, slot_at, refused) values ('${id}', '2026-01-01', 'insufficient_credits') on conflict do nothing`,
  notification_targets: (id) =>
    `insert into notification_targets (user_id, channel, address) values ('${id}', 'telegram', '1') on conflict do nothing`,
  notifications: (id) =>
    `insert into notifications (user_id, kind, key, payload) values ('${id}', 'test', '1', '{}') on conflict do nothing`,
  notification_deliveries: (id) =>
    `insert into notification_deliveries (notification_id, user_id, channel)
     select id, '${id}', 'telegram' from notifications where user_id = '${id}' on conflict do nothing`,
};
/** A harmless change, to see whether a row can be reached for writing. */
export const touch: Record<string, string> = {
  preferences: 'leverage = 42',
  profiles: `display_name = 'touched'`,
  backtests: `symbol = 'TOUCHED'`,
  backtest_states: `symbol = 'TOUCHED'`,
  backtest_searches: 'done_count = 1',
  balances: 'credits = 1000',
  credit_ledger: `note = 'touched'`,
  privacy_settings: 'marketing = true',
  deletion_requests: `erase_after = now() + interval '9 days'`,
  stored_files: `kind = 'cover'`,
  watchlist: `symbol = 'ETHUSDT'`,
  follows: 'created_at = now()',
  ai_verdicts: `model = 'touched'`,
  scan_ai_checks: 'soft_approval = true',
  scans: `status = 'failed'`,
  scan_candidates: `outcome = 'ZERO_QTY'`,
  positions: 'fees = 9',
  position_events: `kind = 'armed'`,
  auto_runs: 'finished_at = now()',
  auto_run_items: `message = 'touched'`,
  equity_points: 'missing = 0',
  payments: `note = 'touched'`,
  payment_events: `note = 'touched'`,
  receipts: 'credits = 1',
  signal_tuning: 'adx = 1.5',
  tuning_versions: `name = 'touched'`,
  away_scans: `refused = 'insufficient_credits'`,
  notification_targets: `label = 'touched'`,
  notifications: 'dispatched_at = now()',
  notification_deliveries: 'attempt_count = 9',
};
