-- expand
-- What the dates of a feed are worth: false where the item had no usable date and pub_date is the first sight.
alter table news add column is_dated boolean not null default false;
-- The last successful read of the source before the one that first saw the item; null on its first read.
alter table news add column previous_read_at timestamptz;
create index news_of_source on news (market, source, first_seen_at desc) where kind = 'article';
-- Since when the feed has its present address: earlier stories say nothing about the dates of this one.
alter table news_feeds add column url_since timestamptz not null default now();

-- What the price did after a report that was published before this installation first saw it. Separate from news_reactions, so that no
-- figure mixes replayed and live stories.
create table news_replays (
  -- Each dated report has a row; of a story the one with the earliest date counts, in whatever order they were read.
  news_id uuid primary key references news (id) on delete cascade,
  symbol text not null check (length(symbol) between 1 and 60),
  -- When a reader of the source could have seen it: its date and the measured delay of the source.
  seen_at timestamptz not null,
  -- Close of the candle that ends the horizon: nothing before it knew this.
  known_at timestamptz not null check (known_at > seen_at),
  -- It weighs from then on only, so that no vote at an earlier close changes.
  measured_at timestamptz not null default now(),
  return_fraction double precision not null,
  z double precision not null,
  sample_count integer not null check (sample_count >= 20),
  p double precision not null check (p > 0 and p <= 1)
);
create index news_replays_known on news_replays (known_at);
alter table news_replays enable row level security, force row level security;
create policy public_record on news_replays for select to app_user using (current_user = 'app_user');
create policy system_rows on news_replays to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on news_replays to app_user;
grant select, insert on news_replays to app_system;
