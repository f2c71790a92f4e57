-- Simulated positions. What happened is in position_events, which nobody can change; the row of a position is what they add up to.
-- Prices and quantities are numeric without a scale: the shortest decimal of an f64, so that reading one back gives the same bits.
-- Money is numeric with eight decimals, rounded half away from zero, in quote currency (USDT).

create table positions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  -- What opened it, e.g. `scan:<id>:BTCUSDT`: opening by the same thing twice opens once.
  opening_ref text not null check (length(opening_ref) between 1 and 255),
  source text not null check (source in ('scan', 'vision', 'manual')),
  scan_id uuid,
  signal_id uuid references signals (id),
  exchange text not null check (exchange in ('binance', 'bybit', 'okx')),
  market text not null check (market in ('simulated', 'replay', 'live')),
  symbol text not null check (length(symbol) between 1 and 40),
  side text not null check (side in ('LONG', 'SHORT')),
  interval text not null check (interval in ('1m', '5m', '15m', '1h', '4h', '1d')),
  entry_price numeric not null check (entry_price > 0),
  qty numeric not null check (qty > 0),
  leverage integer not null check (leverage between 1 and 125),
  -- In force now: trailing moves it.
  stop_loss numeric not null check (stop_loss > 0),
  initial_stop_loss numeric not null check (initial_stop_loss > 0),
  take_profit numeric not null check (take_profit > 0),
  liquidation_approx numeric check (liquidation_approx > 0),
  confidence double precision not null check (confidence between 0 and 1),
  risk_multiplier double precision not null check (risk_multiplier > 0),
  -- Net loss when the stop is hit, as it was shown at the opening.
  loss_at_stop numeric(24, 8) not null,
  -- What the simulator needs of the market, as it was then.
  tick_size numeric not null check (tick_size >= 0),
  taker_fee_fraction numeric not null check (taker_fee_fraction between 0 and 0.1),
  trailing_enabled boolean not null,
  trail_mode text check (trail_mode in ('percent', 'atr')),
  trail_callback_pct double precision check (trail_callback_pct > 0),
  trail_step_pct double precision check (trail_step_pct >= 0),
  trail_atr_mult double precision check (trail_atr_mult > 0),
  trail_atr_period integer check (trail_atr_period >= 1),
  -- Best price since the entry, of whole candles.
  trail_peak numeric not null check (trail_peak > 0),
  opened_at timestamptz not null,
  -- Since when it may close by itself: a minute old, and a move of 0.2 % seen.
  armed_at timestamptz,
  -- Fundings up to this stamp are charged.
  funded_until timestamptz not null,
  fees numeric(24, 8) not null check (fees >= 0),
  funding numeric(24, 8) not null default 0,
  closed_at timestamptz,
  close_price numeric check (close_price > 0),
  close_reason text check (close_reason in ('LIQ', 'SL', 'TP', 'MANUAL')),
  margin numeric(24, 8) generated always as (round(entry_price * qty / leverage, 8)) stored,
  pnl numeric(24, 8) generated always as (
    round((close_price - entry_price) * case side when 'LONG' then 1 else -1 end * qty, 8)) stored,
  -- Multiplied first and with digits to spare: a quotient of PostgreSQL keeps 16 digits of its own accord, too few for rare shapes.
  roi_pct numeric(24, 8) generated always as (
    round((close_price - entry_price) * case side when 'LONG' then 1 else -1 end * qty * 100.00000000000000000000
      / (entry_price * qty), 8)) stored,
  net_pnl numeric(24, 8) generated always as (
    round((close_price - entry_price) * case side when 'LONG' then 1 else -1 end * qty, 8) - fees - funding) stored,
  return_on_margin_pct numeric(24, 8) generated always as (
    round((round((close_price - entry_price) * case side when 'LONG' then 1 else -1 end * qty, 8) - fees - funding)
      * leverage * 100.00000000000000000000 / (entry_price * qty), 8)) stored,
  constraint positions_opening unique (user_id, opening_ref),
  check ((closed_at is null) = (close_price is null)),
  check ((closed_at is null) = (close_reason is null)),
  check ((trail_mode is null) = (not trailing_enabled)),
  check (trail_mode is distinct from 'percent' or (trail_callback_pct is not null and trail_step_pct is not null)),
  check (trail_mode is distinct from 'atr' or (trail_atr_mult is not null and trail_atr_period is not null))
);
-- One open position of a symbol and side.
create unique index positions_one_open on positions (user_id, symbol, side) where closed_at is null;
create index positions_open on positions (exchange, symbol) where closed_at is null;
create index positions_user_opened on positions (user_id, opened_at desc);
create index positions_user_closed on positions (user_id, closed_at desc) where closed_at is not null;
create index positions_signal on positions (signal_id);
create index positions_unfunded on positions (exchange, symbol, funded_until) where closed_at is not null;

-- One run of automatic opening over the results of a scan. Again for the same scan is the same run.
create table auto_runs (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  scan_id uuid not null references scans (id) on delete cascade,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  unique (user_id, scan_id)
);
create index auto_runs_user_created on auto_runs (user_id, created_at desc);
create index auto_runs_scan on auto_runs (scan_id);

-- What a run did with one result: the outcome of the scan's candidate.
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

create table position_events (
  id uuid primary key default gen_random_uuid(),
  -- The order in which they happened to one position; created_at is the same for all of one transaction.
  seq bigint generated always as identity unique,
  user_id uuid not null references users (id) on delete cascade,
  -- Null for what did not become a position.
  position_id uuid references positions (id) on delete cascade,
  run_id uuid references auto_runs (id) on delete cascade,
  kind text not null check (kind in ('opened', 'armed', 'trail_raised', 'funding', 'fee', 'closed', 'skipped')),
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

-- How far the candles of a series have been judged. Written with the events of those candles.
create table position_watch (
  exchange text not null check (exchange in ('binance', 'bybit', 'okx')),
  symbol text not null check (length(symbol) between 1 and 40),
  -- Open of the next 1m candle to judge.
  next_candle_at timestamptz not null,
  primary key (exchange, symbol)
);

-- Who watches. Each who takes over counts one up; a write of whoever was before is refused by the number it carries.
create table leaderships (
  name text primary key check (name ~ '^[a-z_]{1,40}$'),
  epoch bigint not null default 0,
  node text not null check (length(node) between 1 and 100),
  taken_at timestamptz not null default now()
);

-- Guards of automatic opening; null is off. Percent: 2 is 2 %.
alter table preferences
  add column auto_open_enabled boolean not null default true,
  add column guard_daily_loss_pct double precision check (guard_daily_loss_pct between 0.1 and 100),
  add column guard_stop_streak integer check (guard_stop_streak between 1 and 50),
  add column guard_cooldown_minutes integer not null default 60 check (guard_cooldown_minutes between 1 and 10080),
  add column guard_drawdown_pct double precision check (guard_drawdown_pct between 0.1 and 100),
  -- From when on the drawdown is measured: set anew by whoever goes on after it stopped.
  add column guard_drawdown_since timestamptz;

-- For every role, the owner included. Rows go with their account only.
create function refuse_position_event_change() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  if tg_op = 'DELETE' and not exists (select from public.users where id = old.user_id) then return old; end if;
  raise exception 'position_events is append-only' using errcode = 'restrict_violation';
end $$;
revoke execute on function refuse_position_event_change() from public;
create trigger position_events_rows before update or delete on position_events
  for each row execute function refuse_position_event_change();
create trigger position_events_truncate before truncate on position_events
  for each statement execute function refuse_truncate();

-- What a position was opened with, and a close that has happened, stay.
create function refuse_position_change() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  if (old.user_id, old.opening_ref, old.symbol, old.side, old.entry_price, old.qty, old.leverage, old.initial_stop_loss,
      old.take_profit, old.opened_at, old.confidence)
    is distinct from (new.user_id, new.opening_ref, new.symbol, new.side, new.entry_price, new.qty, new.leverage,
      new.initial_stop_loss, new.take_profit, new.opened_at, new.confidence)
    or (old.closed_at is not null and (old.closed_at, old.close_price, old.close_reason, old.stop_loss)
      is distinct from (new.closed_at, new.close_price, new.close_reason, new.stop_loss)) then
    raise exception 'this part of a position cannot change' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
revoke execute on function refuse_position_change() from public;
create trigger positions_rows before update on positions for each row execute function refuse_position_change();

alter table positions enable row level security;
alter table positions force row level security;
alter table position_events enable row level security;
alter table position_events force row level security;
alter table auto_runs enable row level security;
alter table auto_runs force row level security;
alter table auto_run_items enable row level security;
alter table auto_run_items force row level security;
alter table position_watch enable row level security;
alter table position_watch force row level security;
alter table leaderships enable row level security;
alter table leaderships force row level security;

create policy own_rows on positions for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy own_rows on position_events for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy own_rows on auto_runs for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy own_rows on auto_run_items for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on positions to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on position_events to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on auto_runs to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on auto_run_items to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on position_watch to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on leaderships to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');

grant select on positions, position_events, auto_runs, auto_run_items to app_user;
grant select, insert on positions, position_events, auto_runs, auto_run_items, position_watch, leaderships to app_system;
grant update (stop_loss, trail_peak, armed_at, funded_until, fees, funding, closed_at, close_price, close_reason)
  on positions to app_system;
grant update (finished_at) on auto_runs to app_system;
grant update (next_candle_at) on position_watch to app_system;
grant delete on position_watch to app_system;
grant update (epoch, node, taken_at) on leaderships to app_system;
