-- expand
-- What the dates of a feed are worth: false where the item had no usable date and pub_date is the first sight.
alter table news add column is_dated boolean not null default false;
-- The last successful read of the source before the one that first saw the item; null on its first read.
alter table news add column previous_read_at timestamptz;

-- What the price did after a story that was published before this installation first saw it. Separate from news_reactions, so that no
-- figure mixes replayed and live stories.
create table news_replays (
  story_id uuid primary key references news (id) on delete cascade,
  -- The first published report of the story: its source, symbol and direction count.
  news_id uuid not null references news (id) on delete cascade,
  symbol text not null check (length(symbol) between 1 and 60),
  -- When a reader of the source could have seen it: its date and the measured delay of the source.
  seen_at timestamptz not null,
  -- Close of the candle that ends the horizon: nothing before it knew this.
  known_at timestamptz not null check (known_at > seen_at),
  return_fraction double precision not null,
  z double precision not null,
  sample_count integer not null check (sample_count >= 20),
  p double precision not null check (p > 0 and p <= 1)
);
create index news_replays_news on news_replays (news_id);
create index news_replays_known on news_replays (known_at);
alter table news_replays enable row level security, force row level security;
create policy public_record on news_replays for select to app_user using (current_user = 'app_user');
create policy system_rows on news_replays to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on news_replays to app_user;
grant select, insert on news_replays to app_system;
