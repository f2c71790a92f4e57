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
create index positions_automatic_closed on positions (market, closed_at)
  where closed_at is not null and opening_ref ~ '^(scan|reverse):';

alter table position_reconciliations enable row level security;
alter table position_reconciliations force row level security;
create policy own_rows on position_reconciliations for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on position_reconciliations to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on position_reconciliations to app_user;
grant select, insert on position_reconciliations to app_system;
grant update (created_at, not_comparable, live_net, lab_net, revision, entry, slippage, mark, exit, size, fees, funding, rest, lab)
  on position_reconciliations to app_system;
