-- Simulated positions. position_events records what happened and cannot be changed; the row of a position is the sum of its events.
-- Prices and quantities are numeric without a scale: the shortest decimal of an f64, so that reading one back gives the same bits.
-- Money is numeric with eight decimals, rounded half away from zero, in quote currency (USDT).
create table positions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  -- Cause of the opening, e.g. `scan:<id>:BTCUSDT`: the same cause opens once.
  opening_ref text not null check (length(opening_ref) between 1 and 255),
  source text not null check (source in ('scan', 'vision', 'manual')),
  scan_id uuid,
  signal_id uuid references signals (id),
  exchange exchange_id not null,
  market text not null check (market in ('simulated', 'replay', 'live')),
  symbol text not null check (length(symbol) between 1 and 40),
  side text not null check (side in ('LONG', 'SHORT')),
  interval text not null check (interval in ('1m', '5m', '15m', '1h', '4h', '1d')),
  entry_price numeric not null check (entry_price > 0),
  qty numeric not null check (qty > 0),
  leverage integer not null check (leverage between 1 and 125),
  -- The active stop: trailing moves it.
  stop_loss numeric not null check (stop_loss > 0),
  initial_stop_loss numeric not null check (initial_stop_loss > 0),
  take_profit numeric not null check (take_profit > 0),
  liquidation_approx numeric check (liquidation_approx > 0),
  confidence double precision not null check (confidence between 0 and 1),
  risk_multiplier double precision not null check (risk_multiplier > 0),
  -- Net loss when the stop is hit, as it was shown at the opening.
  loss_at_stop numeric(24, 8) not null,
  -- Rules of the market for the simulator, as they were at the opening.
  tick_size numeric not null check (tick_size >= 0),
  taker_fee_fraction numeric not null check (taker_fee_fraction between 0 and 0.1),
  trailing_enabled boolean not null,
  trail_mode text check (trail_mode in ('percent', 'atr')),
  trail_callback_pct double precision check (trail_callback_pct > 0),
  trail_step_pct double precision check (trail_step_pct >= 0),
  trail_atr_mult double precision check (trail_atr_mult > 0),
  trail_atr_period integer check (trail_atr_period >= 1),
  -- Percent of the entry price. Null: an early position or one without trailing; it trails from its entry on.
  trail_activation_pct double precision check (trail_activation_pct >= 0),
  -- Trailing of the owner replaces that of the strategy which opened the position.
  trailing_by_owner boolean not null default false,
  -- Best price since the entry, of whole candles.
  trail_peak numeric not null check (trail_peak > 0),
  opened_at timestamptz not null,
  -- From then on it may close automatically: a minute old, and a move of 0.2 % seen.
  armed_at timestamptz,
  -- Fundings up to this stamp are charged.
  funded_until timestamptz not null,
  fees numeric(24, 8) not null check (fees >= 0),
  funding numeric(24, 8) not null default 0,
  closed_at timestamptz,
  close_price numeric check (close_price > 0),
  close_reason text check (close_reason in ('LIQ', 'SL', 'TP', 'MANUAL', 'TIME', 'SIGNAL', 'DELISTED')),
  -- A position that a saved strategy opened stores the whole value with its name and version: a later change of the strategy changes
  -- nothing that is open.
  strategy jsonb check (jsonb_typeof(strategy) = 'object' and pg_column_size(strategy) <= 32768),
  strategy_name text check (length(strategy_name) between 1 and 60),
  strategy_version text check (strategy_version ~ '^[0-9a-f]{64}$'),
  -- From then on it closes at the next price: its time is over, or the opposite signal has come.
  exit_due_at timestamptz,
  exit_due_reason text check (exit_due_reason in ('TIME', 'SIGNAL')),
  -- Changes of stop, target and trailing by the owner: how many were made, and how many of them the judged candles have reached. A change
  -- waits in changes_pending until the watch has judged the candles before it, so a watch that is killed at any moment reads the old levels,
  -- the new ones, and from when on each applies.
  changes integer not null default 0 check (changes >= 0),
  changes_applied integer not null default 0,
  changes_pending jsonb check (jsonb_typeof(changes_pending) = 'array' and pg_column_size(changes_pending) <= 32768),
  -- How many fills are stored; 0: opened before fills were.
  fill_count integer not null default 0 check (fill_count >= 0),
  -- No close is dated before it.
  last_fill_at timestamptz,
  -- Value and quantity of all entries, and value of all exits so far; null while it has one entry and no exit.
  entered numeric check (entered > 0),
  entered_qty numeric check (entered_qty > 0),
  exited numeric check (exited >= 0),
  -- Gross result of its partial closes.
  realised numeric(24, 8) not null default 0,
  -- Targets still ahead, [{"price", "fraction"}]; take_profit is the first of them. Null: take_profit closes all of it.
  targets jsonb check (jsonb_typeof(targets) = 'array' and pg_column_size(targets) <= 1024),
  -- Contract rules for closing a part, as they were at the opening.
  step_size numeric not null default 0 check (step_size >= 0),
  min_notional numeric not null default 0 check (min_notional >= 0),
  margin numeric(24, 8) generated always as (round(entry_price * qty / leverage, 8)) stored,
  pnl numeric(24, 8) generated always as (case when close_price is not null then
    round((coalesce(exited, close_price * qty) - coalesce(entered, entry_price * qty)) * case side when 'LONG' then 1 else -1 end, 8) end) stored,
  -- Multiplied first and with digits to spare: a quotient of PostgreSQL has 16 digits, too few for rare shapes.
  roi_pct numeric(24, 8) generated always as (case when close_price is not null then
    round((coalesce(exited, close_price * qty) - coalesce(entered, entry_price * qty)) * case side when 'LONG' then 1 else -1 end
      * 100.00000000000000000000 / coalesce(entered, entry_price * qty), 8) end) stored,
  net_pnl numeric(24, 8) generated always as (case when close_price is not null then
    round((coalesce(exited, close_price * qty) - coalesce(entered, entry_price * qty)) * case side when 'LONG' then 1 else -1 end, 8)
      - fees - funding end) stored,
  return_on_margin_pct numeric(24, 8) generated always as (case when close_price is not null then
    round((round((coalesce(exited, close_price * qty) - coalesce(entered, entry_price * qty)) * case side when 'LONG' then 1 else -1 end, 8)
      - fees - funding) * leverage * 100.00000000000000000000 / coalesce(entered, entry_price * qty), 8) end) stored,
  constraint positions_opening unique (user_id, opening_ref),
  check ((closed_at is null) = (close_price is null)),
  check ((closed_at is null) = (close_reason is null)),
  check ((trail_mode is null) = (not trailing_enabled)),
  check (trail_mode is distinct from 'percent' or (trail_callback_pct is not null and trail_step_pct is not null)),
  check (trail_mode is distinct from 'atr' or (trail_atr_mult is not null and trail_atr_period is not null)),
  check (changes_applied between 0 and changes),
  constraint positions_strategy check (num_nulls(strategy, strategy_name, strategy_version) in (0, 3)),
  constraint positions_exit_due check ((exit_due_at is null) = (exit_due_reason is null)),
  constraint positions_entered check (num_nulls(entered, entered_qty, exited) in (0, 3))
);
create index positions_user_opened on positions (user_id, opened_at desc);
create index positions_user_closed on positions (user_id, closed_at desc) where closed_at is not null;
create index positions_signal on positions (signal_id);
create index positions_unfunded on positions (exchange, symbol, funded_until) where closed_at is not null;
-- One open position of a market, symbol and side. A database may be served on another market than that of its positions: they wait.
create unique index positions_one_open on positions (user_id, market, symbol, side) where closed_at is null;
create index positions_open on positions (market, exchange, symbol) where closed_at is null;
create index positions_automatic_closed on positions (market, closed_at)
  where closed_at is not null and opening_ref ~ '^(scan|reverse):';
alter table positions enable row level security, force row level security;
create policy own_rows on positions for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on positions to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on positions to app_user;
grant select, insert, update (entry_price, qty, stop_loss, take_profit, liquidation_approx, trailing_enabled, trail_mode,
  trail_callback_pct, trail_step_pct, trail_atr_mult, trail_atr_period, trail_activation_pct, trailing_by_owner, trail_peak, armed_at,
  funded_until, fees, funding, closed_at, close_price, close_reason, exit_due_at, exit_due_reason, changes, changes_applied,
  changes_pending, fill_count, last_fill_at, entered, entered_qty, exited, realised, targets) on positions to app_system;

-- Entry and quantity change with a fill only, and never after the close. Stop and target may change while the position is open; the levels
-- of the opening stay in its first event.
create function refuse_position_change() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  if (old.user_id, old.opening_ref, old.symbol, old.side, old.leverage, old.initial_stop_loss, old.opened_at, old.confidence)
    is distinct from (new.user_id, new.opening_ref, new.symbol, new.side, new.leverage, new.initial_stop_loss, new.opened_at, new.confidence)
    or new.fill_count < old.fill_count
    or (new.fill_count = old.fill_count and (old.entry_price, old.qty, old.entered, old.exited, old.realised)
      is distinct from (new.entry_price, new.qty, new.entered, new.exited, new.realised))
    or (old.closed_at is not null and (old.closed_at, old.close_price, old.close_reason, old.stop_loss, old.take_profit, old.changes,
        old.fill_count, old.targets)
      is distinct from (new.closed_at, new.close_price, new.close_reason, new.stop_loss, new.take_profit, new.changes,
        new.fill_count, new.targets)) then
    raise exception 'this part of a position cannot change' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
revoke execute on function refuse_position_change() from public;
create trigger positions_rows before update on positions for each row execute function refuse_position_change();

-- Orders of the desk. A position may be entered and left in parts: each part is a row of position_fills, which cannot be changed, and the
-- row of the position is their sum. While it is open, qty is the open quantity and entry_price its average. Closed, qty is all that was
-- entered, entry_price and close_price are the averages of all entries and exits, and pnl is exact.
create table orders (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  exchange exchange_id not null,
  market text not null check (market in ('simulated', 'replay', 'live')),
  symbol text not null check (length(symbol) between 1 and 40),
  interval text not null check (interval in ('1m', '5m', '15m', '1h', '4h', '1d')),
  -- LONG buys, SHORT sells.
  side text not null check (side in ('LONG', 'SHORT')),
  type text not null check (type in ('market', 'limit', 'stop')),
  status text not null check (status in ('resting', 'filled', 'cancelled', 'expired')),
  reduce_only boolean not null,
  quantity numeric not null check (quantity > 0),
  price numeric check (price > 0),
  leverage integer not null check (leverage between 1 and 125),
  -- The signal that the order follows: the position it opens names scan and signal, and has the confidence of its opening.
  scan_id uuid,
  signal_id uuid references signals (id),
  confidence double precision not null default 0 check (confidence between 0 and 1),
  stop_loss numeric check (stop_loss > 0),
  take_profits jsonb check (jsonb_typeof(take_profits) = 'array' and pg_column_size(take_profits) <= 1024),
  trail jsonb check (jsonb_typeof(trail) = 'object' and pg_column_size(trail) <= 1024),
  expires_at timestamptz,
  -- Contract rules, as they were when it was placed.
  tick_size numeric not null default 0 check (tick_size >= 0),
  step_size numeric not null default 0 check (step_size >= 0),
  min_notional numeric not null default 0 check (min_notional >= 0),
  -- Margin and entry fee set aside while it rests.
  reserved numeric(24, 8) not null default 0 check (reserved >= 0),
  -- From when on prices and candles may fill it: its creation or its last change.
  active_from timestamptz not null,
  revision integer not null default 1 check (revision >= 1),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  cancel_reason text check (cancel_reason in ('owner', 'delisted', 'margin', 'no_position', 'rejected', 'deleted')),
  message text check (length(message) between 1 and 500),
  fill_price numeric check (fill_price > 0),
  fill_quantity numeric check (fill_quantity > 0),
  fill_fee numeric(24, 8) check (fill_fee >= 0),
  fill_role text check (fill_role in ('maker', 'taker')),
  position_id uuid references positions (id) on delete cascade,
  check ((type = 'market') = (price is null)),
  check ((status = 'resting') = (ended_at is null)),
  check ((status = 'cancelled') = (cancel_reason is not null)),
  check ((status = 'filled') = (fill_price is not null)),
  check (num_nulls(fill_price, fill_quantity, fill_fee, fill_role, position_id) in (0, 5)),
  check (status = 'resting' or reserved = 0)
);
create index orders_user_created on orders (user_id, created_at desc);
create index orders_resting on orders (market, exchange, symbol) where status = 'resting';
create index orders_position on orders (position_id);
create index orders_signal on orders (signal_id);
alter table orders enable row level security, force row level security;
create policy own_rows on orders for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on orders to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on orders to app_user;
grant select, insert, update (status, quantity, price, stop_loss, take_profits, trail, expires_at, reserved, active_from, revision,
  ended_at, cancel_reason, message, fill_price, fill_quantity, fill_fee, fill_role, position_id) on orders to app_system;

-- An order that has ended stays as it ended.
create function refuse_order_change() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  if old.status <> 'resting' or (old.user_id, old.symbol, old.side, old.type, old.reduce_only, old.created_at)
    is distinct from (new.user_id, new.symbol, new.side, new.type, new.reduce_only, new.created_at) then
    raise exception 'this part of an order cannot change' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
revoke execute on function refuse_order_change() from public;
create trigger orders_rows before update on orders for each row execute function refuse_order_change();

create table position_fills (
  id uuid primary key default gen_random_uuid(),
  -- The order in which they happened to one position.
  seq bigint generated always as identity unique,
  user_id uuid not null references users (id) on delete cascade,
  position_id uuid not null references positions (id) on delete cascade,
  kind text not null check (kind in ('open', 'add', 'partial_close', 'close')),
  role text not null check (role in ('maker', 'taker')),
  price numeric not null check (price > 0),
  quantity numeric not null check (quantity > 0),
  fee numeric(24, 8) not null check (fee >= 0),
  -- Of a market order: the price before its costs and half of the spread, per unit. Null: a limit order, a liquidation, a settlement, or a
  -- fill from before this was recorded; half_spread alone: the exchange sent no bid or ask.
  market_price numeric check (market_price > 0),
  half_spread numeric check (half_spread >= 0),
  -- Gross result of an exit; the exits of a position sum to its pnl.
  pnl numeric(24, 8) not null default 0,
  reason text check (reason in ('LIQ', 'SL', 'TP', 'MANUAL', 'TIME', 'SIGNAL', 'DELISTED')),
  order_id uuid references orders (id) on delete cascade,
  -- When it happened in the market; created_at is when it was written.
  at timestamptz not null,
  created_at timestamptz not null default now(),
  check ((kind in ('open', 'add')) = (reason is null)),
  constraint position_fills_costs check (market_price is not null or half_spread is null)
);
create index position_fills_user_created on position_fills (user_id, created_at desc);
create index position_fills_position on position_fills (position_id, seq);
create index position_fills_order on position_fills (order_id);
create unique index position_fills_once on position_fills (user_id, position_id, kind) where kind in ('open', 'close');
create trigger position_fills_truncate before truncate on position_fills
  for each statement execute function refuse_truncate();
-- The guards read the newest partial closes of a user.
create index position_fills_partial_closes on position_fills (user_id, at desc) where kind = 'partial_close';
alter table position_fills enable row level security, force row level security;
create policy own_rows on position_fills for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on position_fills to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on position_fills to app_user;
grant select, insert on position_fills to app_system;

-- For every role, the owner included. Rows go with their account only.
create function refuse_fill_change() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  if tg_op = 'DELETE' and not exists (select from public.users where id = old.user_id) then return old; end if;
  raise exception 'position_fills is append-only' using errcode = 'restrict_violation';
end $$;
revoke execute on function refuse_fill_change() from public;
create trigger position_fills_rows before update or delete on position_fills
  for each row execute function refuse_fill_change();

-- One run of automatic opening over the results of a scan. Again for the same scan is the same run.
create table auto_runs (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  scan_id uuid not null references scans (id) on delete cascade,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- Why the opening of a scan was rejected as a whole. A finished run, rejected or not, is never repeated.
  refused text check (refused in ('scan_too_old')),
  unique (user_id, scan_id)
);
create index auto_runs_user_created on auto_runs (user_id, created_at desc);
create index auto_runs_scan on auto_runs (scan_id);
create index auto_runs_created on auto_runs (created_at);
alter table auto_runs enable row level security, force row level security;
create policy own_rows on auto_runs for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on auto_runs to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on auto_runs to app_user;
grant select, insert, delete, update (finished_at, refused) on auto_runs to app_system;

-- Outcome of a run for one candidate of the scan.
create table auto_run_items (
  run_id uuid not null references auto_runs (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  symbol text not null check (length(symbol) between 1 and 40),
  interval text not null check (interval in ('15m', '1h', '4h')),
  side text check (side in ('LONG', 'SHORT')),
  confidence double precision check (confidence between 0 and 1),
  outcome text not null check (outcome in ('OPENED', 'FAILED', 'NEUTRAL', 'LOW_CONF', 'ZERO_QTY', 'NO_MATCH')),
  detail text check (detail ~ '^[a-z_]{1,40}$'),
  message text not null check (length(message) between 1 and 500),
  position_id uuid references positions (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (run_id, symbol, interval),
  check ((outcome = 'OPENED') = (position_id is not null))
);
create index auto_run_items_user_created on auto_run_items (user_id, created_at);
create index auto_run_items_position on auto_run_items (position_id);
create index auto_run_items_left on auto_run_items (created_at) where position_id is null;
alter table auto_run_items enable row level security, force row level security;
create policy own_rows on auto_run_items for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on auto_run_items to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on auto_run_items to app_user;
-- What failed in a run is tried again; what was opened or skipped stays (the statement that writes requests `FAILED`).
grant select, insert, delete, update (outcome, detail, message, position_id) on auto_run_items to app_system;

-- Everything that happened to a position, and openings that were skipped. Append-only.
create table position_events (
  id uuid primary key default gen_random_uuid(),
  -- The order in which they happened to one position; created_at is the same for all of one transaction.
  seq bigint generated always as identity unique,
  user_id uuid not null references users (id) on delete cascade,
  -- Null for an opening that was skipped.
  position_id uuid references positions (id) on delete cascade,
  run_id uuid references auto_runs (id) on delete cascade,
  kind text not null check (kind in ('opened', 'armed', 'trail_raised', 'funding', 'fee', 'closed', 'skipped', 'exit_due',
    'changed', 'added', 'reduced')),
  -- When it happened in the market; created_at is when it was written.
  at timestamptz not null,
  data jsonb not null check (jsonb_typeof(data) = 'object' and pg_column_size(data) <= 8192),
  created_at timestamptz not null default now(),
  check ((kind = 'skipped') = (position_id is null))
);
create index position_events_user_created on position_events (user_id, created_at desc);
create index position_events_position on position_events (position_id, seq);
create index position_events_run on position_events (run_id);
create index position_events_skipped on position_events (user_id, seq desc) where kind = 'skipped';
-- A position is opened once, armed once and closed once, whatever else goes wrong.
create unique index position_events_once on position_events (user_id, position_id, kind) where kind in ('opened', 'armed', 'closed');
create trigger position_events_truncate before truncate on position_events
  for each statement execute function refuse_truncate();
create index position_events_skipped_created on position_events (created_at) where kind = 'skipped';
alter table position_events enable row level security, force row level security;
create policy own_rows on position_events for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on position_events to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on position_events to app_user;
grant select, insert, delete on position_events to app_system;

-- For every role, the owner included. Rows go with their account, and skipped openings after 30 days: scans while away add up to 720 of
-- them a day for each user.
create function refuse_position_event_change() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  if tg_op = 'DELETE' and not exists (select from public.users where id = old.user_id) then return old; end if;
  if tg_op = 'DELETE' and old.kind = 'skipped' and old.created_at < now() - interval '30 days' then return old; end if;
  raise exception 'position_events is append-only' using errcode = 'restrict_violation';
end $$;
revoke execute on function refuse_position_event_change() from public;
create trigger position_events_rows before update or delete on position_events
  for each row execute function refuse_position_event_change();

-- Value of an account at a moment, marked to market by the leader while positions are open. Measured then, never computed later.
create table equity_points (
  user_id uuid not null references users (id) on delete cascade,
  market text not null check (market in ('simulated', 'replay', 'live')),
  created_at timestamptz not null,
  -- Simulated capital and realised net PnL.
  balance numeric(24, 8) not null,
  realised numeric(24, 8) not null,
  -- Null when the price of an open position was missing.
  unrealised numeric(24, 8),
  exposure numeric(24, 8),
  missing integer not null check (missing >= 0),
  primary key (user_id, created_at),
  check ((unrealised is null) = (missing > 0)),
  check ((exposure is null) = (missing > 0))
);
alter table equity_points enable row level security, force row level security;
create policy own_rows on equity_points for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on equity_points to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on equity_points to app_user;
grant select, insert on equity_points to app_system;

-- Why the live result of an automatic position differs from that of the lab, which is run again on the stored candles. Money in USDT.
-- The parts, with the rest, sum to the difference in every row. A rest other than 0 is a bug and is reported by the health of the service.
create table position_reconciliations (
  position_id uuid primary key references positions (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  -- Null: compared.
  not_comparable text check (not_comparable in
    ('changed_by_owner', 'filled_in_parts', 'too_long', 'no_candles', 'not_opened', 'not_computable')),
  -- Net PnL of the position when it was compared: a funding that is charged later makes it due again.
  live_net numeric(24, 8) not null,
  lab_net numeric(24, 8),
  revision numeric(24, 8),
  entry numeric(24, 8),
  slippage numeric(24, 8),
  mark numeric(24, 8),
  exit numeric(24, 8),
  size numeric(24, 8),
  fees numeric(24, 8),
  funding numeric(24, 8),
  rest numeric(24, 8),
  -- Trade of the lab: entry and exit with their times, and quantity.
  lab jsonb check (jsonb_typeof(lab) = 'object' and pg_column_size(lab) <= 1024),
  check (num_nulls(lab_net, revision, entry, slippage, mark, exit, size, fees, funding, rest, lab)
    = case when not_comparable is null then 0 else 11 end),
  check (live_net = lab_net + revision + entry + slippage + mark + exit + size + fees + funding + rest)
);
create index position_reconciliations_user on position_reconciliations (user_id, created_at desc);
create index position_reconciliations_rest on position_reconciliations (position_id) where rest <> 0;
alter table position_reconciliations enable row level security, force row level security;
create policy own_rows on position_reconciliations for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on position_reconciliations to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on position_reconciliations to app_user;
grant select, insert, update (created_at, not_comparable, live_net, lab_net, revision, entry, slippage, mark, exit, size, fees, funding,
  rest, lab) on position_reconciliations to app_system;

-- Progress of the watch by series of candles. Written with the events of those candles.
create table position_watch (
  market text not null check (market in ('simulated', 'replay', 'live')),
  exchange exchange_id not null,
  symbol text not null check (length(symbol) between 1 and 40),
  -- Open of the next 1m candle to judge.
  next_candle_at timestamptz not null,
  primary key (market, exchange, symbol)
);
alter table position_watch enable row level security, force row level security;
create policy system_rows on position_watch to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update (next_candle_at) on position_watch to app_system;

-- The last mark price of each series that positions are open in; the last trade where the exchange sends no mark. Read when the contract
-- ended while no server was running.
create table position_marks (
  market text not null check (market in ('simulated', 'replay', 'live')),
  exchange exchange_id not null,
  symbol text not null check (length(symbol) between 1 and 40),
  price numeric not null check (price > 0),
  -- The exchange's own stamp of the price.
  at timestamptz not null,
  primary key (market, exchange, symbol)
);
alter table position_marks enable row level security, force row level security;
create policy system_rows on position_marks to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete, update (price, at) on position_marks to app_system;

-- Leading nodes. Each new leader increases the epoch; a write of an earlier leader is rejected by its epoch.
create table leaderships (
  name text primary key check (name ~ '^[a-z_]{1,40}$'),
  epoch bigint not null default 0,
  node text not null check (length(node) between 1 and 100),
  taken_at timestamptz not null default now(),
  -- The leadership is a lease: it ends unless its holder renews it.
  expires_at timestamptz not null default now()
);
alter table leaderships enable row level security, force row level security;
create policy system_rows on leaderships to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, update (epoch, node, taken_at, expires_at) on leaderships to app_system;

-- Notes of a user about a position, and the chart at the time of writing. The picture has a separate row: entries are read often and
-- pictures seldom. Limits: workers/src/core/journal.ts.
create table journal_entries (
  position_id uuid not null references positions (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  note text not null check (length(note) <= 4000),
  tags text[] not null check (cardinality(tags) <= 10),
  -- Rises with each change, so that one page does not overwrite another unseen.
  revision integer not null check (revision >= 1),
  updated_at timestamptz not null default now(),
  primary key (user_id, position_id)
);
create index journal_entries_position on journal_entries (position_id);
alter table journal_entries enable row level security, force row level security;
create policy own_rows on journal_entries to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
grant select, insert, delete, update (note, tags, revision, updated_at) on journal_entries to app_user;

create table journal_pictures (
  position_id uuid not null references positions (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  -- WebP, encoded by the server.
  picture bytea not null check (octet_length(picture) between 1 and 524288),
  width integer not null check (width between 1 and 1600),
  height integer not null check (height between 1 and 1600),
  created_at timestamptz not null default now(),
  primary key (user_id, position_id)
);
create index journal_pictures_position on journal_pictures (position_id);
create index journal_pictures_user_created on journal_pictures (user_id, created_at desc);
alter table journal_pictures enable row level security, force row level security;
create policy own_rows on journal_pictures to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
grant select, insert, delete, update (picture, width, height, created_at) on journal_pictures to app_user;
