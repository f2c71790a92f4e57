-- Chart analyses, and what became of the positions they opened. An analysis goes with the close of its symbol and direction; its
-- outcome stays, because pattern performance is computed from outcomes.

create table vision_analyses (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  -- done: the credit was spent. refunded: there is an answer, and the credit came back. failed: there is no answer.
  status text not null default 'running' check (status in ('running', 'done', 'refunded', 'failed')),
  -- Known with the result; null before, and where no symbol was read.
  symbol text check (length(symbol) between 1 and 60),
  direction text check (direction in ('LONG', 'SHORT', 'NEUTRAL')),
  result jsonb check (jsonb_typeof(result) = 'object' and pg_column_size(result) <= 262144),
  -- The re-encoded picture (WebP) of the newest analysis. In the row, so that it goes with it.
  picture bytea check (octet_length(picture) <= 4194304),
  -- The hold that pays for it. No foreign key: entries of the ledger and analyses go with their account, in no particular order.
  credit_ref uuid not null,
  failure text check (length(failure) between 1 and 500),
  finished_at timestamptz,
  check ((status in ('done', 'refunded')) = (result is not null)),
  check ((status = 'failed') = (failure is not null))
);
create index vision_analyses_user_created on vision_analyses (user_id, created_at desc);
create index vision_analyses_user_symbol on vision_analyses (user_id, symbol, direction);
create unique index vision_analyses_credit_ref on vision_analyses (credit_ref);
-- One in flight per user, on all nodes.
create unique index vision_analyses_running on vision_analyses (user_id) where status = 'running';

-- One row for each closed position of an analysis.
create table vision_outcomes (
  position_id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  closed_at timestamptz not null default now(),
  symbol text not null check (length(symbol) between 1 and 60),
  direction text not null check (direction in ('LONG', 'SHORT')),
  sentiment text not null check (sentiment in ('bullish', 'bearish')),
  -- Ids of the patterns that the analysis named.
  patterns text[] not null check (cardinality(patterns) <= 100),
  net_pnl double precision not null,
  roi_pct double precision not null
);
create index vision_outcomes_user on vision_outcomes (user_id, closed_at desc);

do $$
declare name text;
begin
  foreach name in array array['vision_analyses', 'vision_outcomes'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format($policy$create policy system_rows on %I to app_system
      using (current_user = 'app_system') with check (current_user = 'app_system')$policy$, name);
    execute format($policy$create policy own_rows on %I for select to app_user
      using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))$policy$, name);
  end loop;
end $$;

grant select on vision_analyses, vision_outcomes to app_user;
grant select, insert, delete on vision_analyses to app_system;
grant update (status, symbol, direction, result, picture, failure, finished_at) on vision_analyses to app_system;
grant select, insert on vision_outcomes to app_system;
