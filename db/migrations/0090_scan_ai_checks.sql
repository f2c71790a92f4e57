-- The AI checks of a scan's results. At most ten a scan: each takes a place that no other can have.

create table scan_ai_checks (
  scan_id uuid not null references scans (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  symbol text not null check (length(symbol) between 1 and 40),
  interval text not null check (interval in ('15m', '1h', '4h')),
  place integer not null check (place between 1 and 10),
  signal_id uuid references signals (id),
  -- asking: the question is under way, or its server died meanwhile.
  state text not null default 'asking' check (state in ('asking', 'online', 'offline')),
  -- Why there is no verdict.
  reason text check (reason ~ '^[A-Za-z_]{1,40}$'),
  decided_by text check (decided_by in ('model', 'built_in')),
  -- The model's id, or the version of the built-in rules.
  model text check (length(model) between 1 and 100),
  verdict jsonb check (pg_column_size(verdict) <= 8192),
  -- What the owner asked for last; the verdict stays, what follows from it is reckoned anew.
  soft_approval boolean not null,
  allow_correction boolean not null,
  asked_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  primary key (scan_id, symbol, interval),
  unique (scan_id, place),
  check ((state = 'online') = (verdict is not null and decided_by is not null and model is not null)),
  check ((state = 'offline') = (reason is not null))
);
create index scan_ai_checks_user_created on scan_ai_checks (user_id, created_at);
create index scan_ai_checks_signal on scan_ai_checks (signal_id);

alter table scan_ai_checks enable row level security;
alter table scan_ai_checks force row level security;

create policy own_rows on scan_ai_checks for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on scan_ai_checks to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');

grant select on scan_ai_checks to app_user;
grant select, insert on scan_ai_checks to app_system;
grant update (state, reason, decided_by, model, verdict, soft_approval, allow_correction, asked_at) on scan_ai_checks to app_system;
