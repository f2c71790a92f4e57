-- Items of news feeds and posts of a social source. They belong to no user: every signed-in user reads them. Both times are
-- stored: the date of the feed (pub_date) and when this installation first saw it (first_seen_at), so that nothing uses news too early.
create table news (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default now(),
  market text not null check (market in ('simulated', 'replay', 'live')),
  kind text not null check (kind in ('article', 'post')),
  title text not null check (length(title) between 1 and 600),
  link text not null check (link ~ '^https?://' and length(link) <= 2000),
  pub_date timestamptz not null,
  -- Date of the newest report that joined the story, on its first item; null while none is newer. Stories are listed by it.
  latest_at timestamptz,
  source text not null check (length(source) between 1 and 60),
  author text check (length(author) <= 120),
  description text not null default '' check (length(description) <= 1000),
  content text not null default '' check (length(content) <= 8000),
  first_seen_at timestamptz not null,
  -- The first item of its story: itself unless it repeats another one.
  story_id uuid not null references news (id) on delete cascade deferrable initially deferred,
  symbols text[] not null default '{}',
  -- Matched phrases of the keyword table, and the version of that table.
  keywords text[] not null default '{}',
  keyword_version integer not null check (keyword_version > 0),
  -- Sum of the weights of those phrases: > 0 bullish, < 0 bearish.
  sentiment double precision not null,
  is_high_impact boolean not null,
  is_simulated boolean not null,
  unique (market, link)
);
create index news_listed on news (market, kind, pub_date desc) where id = story_id;
create index news_story on news (story_id);
create index news_seen on news (market, first_seen_at);
create index news_latest on news (market, kind, (coalesce(latest_at, pub_date)) desc) where id = story_id;
alter table news enable row level security, force row level security;
create policy public_record on news for select to app_user using (current_user = 'app_user');
create policy system_rows on news to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on news to app_user;
grant select, insert, delete, update (latest_at) on news to app_system;

-- Progress of the reading of each feed. One leader writes it.
create table news_feeds (
  market text not null check (market in ('simulated', 'replay', 'live')),
  name text not null check (length(name) between 1 and 60),
  url text not null check (length(url) <= 2000),
  etag text check (length(etag) <= 512),
  last_modified text check (length(last_modified) <= 512),
  -- Newest id of a social source.
  cursor text check (length(cursor) <= 100),
  failure_count integer not null default 0 check (failure_count >= 0),
  -- Why the last reading failed, for users; null when it did not.
  failure text check (length(failure) <= 300),
  -- Why the dates of the feed cannot be read, for users; null when they are read.
  date_note text check (length(date_note) <= 300),
  next_read_at timestamptz not null default now(),
  last_ok_at timestamptz,
  primary key (market, name)
);
alter table news_feeds enable row level security, force row level security;
create policy public_record on news_feeds for select to app_user using (current_user = 'app_user');
create policy system_rows on news_feeds to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on news_feeds to app_user;
grant select, insert, update on news_feeds to app_system;

-- What the price and volume of a tagged symbol did after a story was first seen, beside its usual move at that hour of the day.
create table news_reactions (
  news_id uuid not null references news (id) on delete cascade,
  symbol text not null check (length(symbol) between 1 and 60),
  horizon_minutes integer not null check (horizon_minutes in (15, 60, 240)),
  -- Close of the candle that ends the horizon: nothing before it knew this.
  known_at timestamptz not null,
  return_fraction double precision not null,
  z double precision not null,
  -- Moves at the same hour of earlier days that z and p compare with.
  sample_count integer not null check (sample_count >= 20),
  p double precision not null check (p > 0 and p <= 1),
  volume_ratio double precision not null check (volume_ratio >= 0),
  primary key (news_id, symbol, horizon_minutes)
);
create index news_reactions_known on news_reactions (known_at);
alter table news_reactions enable row level security, force row level security;
create policy public_record on news_reactions for select to app_user using (current_user = 'app_user');
create policy system_rows on news_reactions to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on news_reactions to app_user;
grant select, insert on news_reactions to app_system;

create table news_reads (
  user_id uuid not null references users (id) on delete cascade,
  news_id uuid not null references news (id) on delete cascade,
  read_at timestamptz not null default now(),
  primary key (user_id, news_id)
);
create index news_reads_news on news_reads (news_id);
create index news_reads_latest on news_reads (user_id, read_at desc);
alter table news_reads enable row level security, force row level security;
create policy own_rows on news_reads to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
grant select, insert, delete on news_reads to app_user;

create table news_settings (
  user_id uuid primary key references users (id) on delete cascade,
  hidden_sources text[] not null default '{}' check (cardinality(hidden_sources) <= 60),
  -- Only stories about these; empty: all.
  symbols text[] not null default '{}' check (cardinality(symbols) <= 50),
  is_high_impact_only boolean not null default false,
  shows_posts boolean not null default true,
  shows_chart_marks boolean not null default true,
  updated_at timestamptz not null default now()
);
alter table news_settings enable row level security, force row level security;
create policy own_rows on news_settings to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
grant select, insert, update on news_settings to app_user;

-- The help centre: articles from the files of docs/help, written at the start of a server, and chats with the assistant.
create table help_categories (
  slug text primary key check (slug ~ '^[a-z0-9-]{1,64}$'),
  name text not null check (length(name) between 1 and 64),
  place integer not null
);
alter table help_categories enable row level security, force row level security;
create policy read_all on help_categories for select to app_user using (current_user = 'app_user');
create policy system_rows on help_categories to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on help_categories to app_user;
grant select, insert, delete, update on help_categories to app_system;

create table help_articles (
  id uuid primary key default gen_random_uuid(),
  slug text not null unique check (slug ~ '^[a-z0-9-]{1,64}$'),
  category_slug text not null references help_categories (slug),
  title text not null check (length(title) between 1 and 120),
  -- The trader's question that the article is about.
  question text not null check (length(question) between 1 and 200),
  tags text[] not null,
  content_md text not null check (length(content_md) between 1 and 200000),
  -- Headings with their anchors, in order.
  sections jsonb not null,
  related text[] not null,
  is_featured boolean not null,
  place integer not null,
  -- The text without markup: snippets are cut from it.
  body_text text not null,
  -- SHA-256 of everything above: the same content is not written again.
  content_hash text not null check (content_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null,
  updated_at timestamptz not null default now()
);
create index help_articles_category on help_articles (category_slug, place);
alter table help_articles enable row level security, force row level security;
create policy read_all on help_articles for select to app_user using (current_user = 'app_user');
create policy system_rows on help_articles to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on help_articles to app_user;
grant select, insert, delete, update on help_articles to app_system;

create table help_messages (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  role text not null check (role in ('user', 'assistant')),
  text text not null check (length(text) between 1 and 8000),
  -- Of a response: its author, the passages it is based on, and suggested next questions.
  written_by text check (written_by in ('model', 'quotes', 'nothing_found', 'other_language', 'advice')),
  sources jsonb not null default '[]' check (pg_column_size(sources) <= 32768),
  suggested jsonb not null default '[]' check (pg_column_size(suggested) <= 8192),
  created_at timestamptz not null default clock_timestamp(),
  check ((role = 'assistant') = (written_by is not null))
);
create index help_messages_user_created on help_messages (user_id, created_at);
alter table help_messages enable row level security, force row level security;
create policy own_rows on help_messages to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
grant select, insert, delete on help_messages to app_user;

-- Separate from the messages: a chat can be cleared, the ratings stay.
create table help_ratings (
  -- Id of the response.
  message_id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  is_helpful boolean not null,
  created_at timestamptz not null default now()
);
create index help_ratings_user_created on help_ratings (user_id, created_at);
alter table help_ratings enable row level security, force row level security;
create policy own_rows on help_ratings for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on help_ratings to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select on help_ratings to app_user;
grant select, insert, update (is_helpful, created_at) on help_ratings to app_system;
