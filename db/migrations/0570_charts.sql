-- What a user draws on the chart of a symbol. A drawing holds the version of the row that changed it last, so that a change can say which
-- drawings another page had changed. Limits: workers/src/core/chartDrawings.ts; 300 drawings with the longest texts take 250 kB.
create table chart_drawings (
  user_id uuid not null references users (id) on delete cascade,
  symbol text not null check (symbol ~ '^[A-Z0-9\u3041-\u3096\u30A1-\u30FA\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7A3]{1,36}USDT$'),
  version integer not null check (version > 0),
  drawings jsonb not null check (jsonb_typeof(drawings) = 'array' and pg_column_size(drawings) <= 524288),
  updated_at timestamptz not null default now(),
  primary key (user_id, symbol)
);

alter table chart_drawings enable row level security;
alter table chart_drawings force row level security;
create policy own_rows on chart_drawings to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
grant select, insert, delete on chart_drawings to app_user;
grant update (version, drawings, updated_at) on chart_drawings to app_user;

-- Named arrangements of charts: symbols, intervals, scales and indicators.
create table chart_layouts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 60),
  value jsonb not null check (jsonb_typeof(value) = 'object' and pg_column_size(value) <= 16384),
  updated_at timestamptz not null default now(),
  unique (user_id, name)
);

alter table chart_layouts enable row level security;
alter table chart_layouts force row level security;
create policy own_rows on chart_layouts to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
grant select, insert, delete on chart_layouts to app_user;
grant update (name, value, updated_at) on chart_layouts to app_user;
