-- Orders of the desk and the fills of positions. A position may be entered and left in parts: each part is a row of position_fills, which
-- nobody can change, and the row of the position is what they add up to. While it is open, qty is what is open and entry_price its average.
-- Closed, qty is all that was entered, entry_price and close_price are the averages of all entries and exits, and pnl is exact.

alter table positions
  -- How many fills are stored; 0: opened before fills were.
  add column fill_count integer not null default 0 check (fill_count >= 0),
  -- No close is dated before it.
  add column last_fill_at timestamptz,
  -- Value and quantity of all entries, and value of all exits so far; null while it has one entry and no exit.
  add column entered numeric check (entered > 0),
  add column entered_qty numeric check (entered_qty > 0),
  add column exited numeric check (exited >= 0),
  -- Gross result of its partial closes.
  add column realised numeric(24, 8) not null default 0,
  -- Targets still ahead, [{"price", "fraction"}]; take_profit is the first of them. Null: take_profit closes all of it.
  add column targets jsonb check (jsonb_typeof(targets) = 'array' and pg_column_size(targets) <= 1024),
  -- Contract rules for closing a part, as they were at the opening.
  add column step_size numeric not null default 0 check (step_size >= 0),
  add column min_notional numeric not null default 0 check (min_notional >= 0),
  add constraint positions_entered check (num_nulls(entered, entered_qty, exited) in (0, 3));

alter table positions drop column pnl, drop column roi_pct, drop column net_pnl, drop column return_on_margin_pct;
alter table positions
  add column pnl numeric(24, 8) generated always as (case when close_price is not null then
    round((coalesce(exited, close_price * qty) - coalesce(entered, entry_price * qty)) * case side when 'LONG' then 1 else -1 end, 8) end) stored,
  -- Multiplied first and with digits to spare: a quotient of PostgreSQL keeps 16 digits of its own accord, too few for rare shapes.
  add column roi_pct numeric(24, 8) generated always as (case when close_price is not null then
    round((coalesce(exited, close_price * qty) - coalesce(entered, entry_price * qty)) * case side when 'LONG' then 1 else -1 end
      * 100.00000000000000000000 / coalesce(entered, entry_price * qty), 8) end) stored,
  add column net_pnl numeric(24, 8) generated always as (case when close_price is not null then
    round((coalesce(exited, close_price * qty) - coalesce(entered, entry_price * qty)) * case side when 'LONG' then 1 else -1 end, 8)
      - fees - funding end) stored,
  add column return_on_margin_pct numeric(24, 8) generated always as (case when close_price is not null then
    round((round((coalesce(exited, close_price * qty) - coalesce(entered, entry_price * qty)) * case side when 'LONG' then 1 else -1 end, 8)
      - fees - funding) * leverage * 100.00000000000000000000 / coalesce(entered, entry_price * qty), 8) end) stored;

grant update (entry_price, qty, liquidation_approx, fill_count, last_fill_at, entered, entered_qty, exited, realised, targets)
  on positions to app_system;

alter table position_events drop constraint position_events_kind_check;
alter table position_events add constraint position_events_kind_check
  check (kind in ('opened', 'armed', 'trail_raised', 'funding', 'fee', 'closed', 'skipped', 'exit_due', 'changed', 'added', 'reduced'));

-- Entry and quantity change with a fill only, and never after the close.
create or replace function refuse_position_change() returns trigger language plpgsql set search_path = pg_catalog, public as $$
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

create table orders (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  exchange text not null check (exchange in ('binance', 'bybit', 'okx')),
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
  -- Gross result of an exit; the exits of a position sum to its pnl.
  pnl numeric(24, 8) not null default 0,
  reason text check (reason in ('LIQ', 'SL', 'TP', 'MANUAL', 'TIME', 'SIGNAL', 'DELISTED')),
  order_id uuid references orders (id) on delete cascade,
  -- When it happened in the market; created_at is when it was written.
  at timestamptz not null,
  created_at timestamptz not null default now(),
  check ((kind in ('open', 'add')) = (reason is null))
);
create index position_fills_user_created on position_fills (user_id, created_at desc);
create index position_fills_position on position_fills (position_id, seq);
create index position_fills_order on position_fills (order_id);
create unique index position_fills_once on position_fills (user_id, position_id, kind) where kind in ('open', 'close');

-- For every role, the owner included. Rows go with their account only.
create function refuse_fill_change() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  if tg_op = 'DELETE' and not exists (select from public.users where id = old.user_id) then return old; end if;
  raise exception 'position_fills is append-only' using errcode = 'restrict_violation';
end $$;
revoke execute on function refuse_fill_change() from public;
create trigger position_fills_rows before update or delete on position_fills
  for each row execute function refuse_fill_change();
create trigger position_fills_truncate before truncate on position_fills
  for each statement execute function refuse_truncate();

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

alter table orders enable row level security;
alter table orders force row level security;
alter table position_fills enable row level security;
alter table position_fills force row level security;
create policy own_rows on orders for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy own_rows on position_fills for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on orders to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy system_rows on position_fills to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on orders, position_fills to app_user;
grant select, insert on orders, position_fills to app_system;
grant update (status, quantity, price, stop_loss, take_profits, trail, expires_at, reserved, active_from, revision, ended_at,
  cancel_reason, message, fill_price, fill_quantity, fill_fee, fill_role, position_id) on orders to app_system;
