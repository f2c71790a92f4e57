-- Directions that the rules and an AI model named for charts that end now, and the price ten candles later. They outlive their analyses:
-- how often each was right, and what followed each pattern, is counted from them over the whole installation.
create table vision_views (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  -- Analyses go with the close of their symbol and direction, so there is no foreign key.
  analysis_id uuid not null,
  market text not null check (market in ('simulated', 'replay', 'live')),
  viewed_by text not null check (viewed_by in ('rules', 'model')),
  model text check (length(model) between 1 and 100),
  symbol text not null check (length(symbol) between 1 and 60),
  interval text not null check (interval in ('1m', '5m', '15m', '1h', '4h', '1d')),
  direction text not null check (direction in ('LONG', 'SHORT')),
  sentiment text check (sentiment in ('bullish', 'bearish')),
  -- Patterns of the newest candles: id and direction, such as hammer:bullish.
  patterns text[] not null check (cardinality(patterns) <= 100),
  -- Open time and close of the newest candle that was seen.
  candle_at timestamptz not null,
  close_price double precision not null check (close_price > 0),
  -- The candle that judges the view has closed.
  due_at timestamptz not null check (due_at > candle_at),
  graded_at timestamptz,
  later_price double precision check (later_price > 0),
  check ((graded_at is null) = (later_price is null)),
  check ((viewed_by = 'model') = (model is not null)),
  unique (user_id, analysis_id, viewed_by)
);
create index vision_views_user on vision_views (user_id, created_at desc);
create index vision_views_due on vision_views (market, due_at) where graded_at is null;
create index vision_views_graded on vision_views (market, interval) where graded_at is not null;

alter table vision_views enable row level security;
alter table vision_views force row level security;
create policy system_rows on vision_views to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy own_rows on vision_views for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));

grant select on vision_views to app_user;
grant select, insert on vision_views to app_system;
grant update (graded_at, later_price) on vision_views to app_system;
