-- The help centre: articles as the files of docs/help say, written at the start of a server, and what users ask its assistant.

-- Trigram similarity finds the word that was meant where the server has the extension; the service compares letters itself elsewhere.
create schema if not exists extensions;
grant usage on schema extensions to app_user, app_system;
do $do$ begin
  create extension if not exists pg_trgm with schema extensions;
exception when others then
  raise notice 'pg_trgm is not available: %', sqlerrm;
end $do$;

create table help_categories (
  slug text primary key check (slug ~ '^[a-z0-9-]{1,64}$'),
  name text not null check (length(name) between 1 and 64),
  place integer not null
);

create table help_articles (
  id uuid primary key default gen_random_uuid(),
  slug text not null unique check (slug ~ '^[a-z0-9-]{1,64}$'),
  category_slug text not null references help_categories (slug),
  title text not null check (length(title) between 1 and 120),
  -- The trader's question that the article answers.
  question text not null check (length(question) between 1 and 200),
  tags text[] not null,
  content_md text not null check (length(content_md) between 1 and 200000),
  -- Headings with their anchors, in order.
  sections jsonb not null,
  related text[] not null,
  is_featured boolean not null,
  place integer not null,
  -- What it says without markup: snippets are cut from it.
  body_text text not null,
  search tsvector not null,
  -- SHA-256 of everything above: the same content is not written again.
  content_hash text not null check (content_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null,
  updated_at timestamptz not null default now()
);
create index help_articles_category on help_articles (category_slug, place);
create index help_articles_search on help_articles using gin (search);

-- Words of titles, tags and texts: a mistyped one is compared with them.
create table help_words (word text primary key check (length(word) between 3 and 40));

create table help_messages (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  role text not null check (role in ('user', 'assistant')),
  text text not null check (length(text) between 1 and 8000),
  -- Of an answer: who wrote it, the passages it stands on, and what may be asked next.
  written_by text check (written_by in ('model', 'quotes', 'nothing_found', 'advice')),
  sources jsonb not null default '[]' check (pg_column_size(sources) <= 32768),
  suggested jsonb not null default '[]' check (pg_column_size(suggested) <= 8192),
  created_at timestamptz not null default clock_timestamp(),
  check ((role = 'assistant') = (written_by is not null))
);
create index help_messages_user_created on help_messages (user_id, created_at);

-- Apart from the messages: a chat can be cleared, what was measured stays.
create table help_ratings (
  -- Id of the answer.
  message_id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  is_helpful boolean not null,
  created_at timestamptz not null default now()
);
create index help_ratings_user_created on help_ratings (user_id, created_at);

alter table help_categories enable row level security;
alter table help_categories force row level security;
alter table help_articles enable row level security;
alter table help_articles force row level security;
alter table help_words enable row level security;
alter table help_words force row level security;
alter table help_messages enable row level security;
alter table help_messages force row level security;
alter table help_ratings enable row level security;
alter table help_ratings force row level security;

-- Public content: read for visitors by the service, written by it at its start.
create policy read_all on help_categories for select to app_user using (current_user = 'app_user');
create policy system_rows on help_categories to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy read_all on help_articles for select to app_user using (current_user = 'app_user');
create policy system_rows on help_articles to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy read_all on help_words for select to app_user using (current_user = 'app_user');
create policy system_rows on help_words to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy own_rows on help_messages to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid))
  with check (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy own_rows on help_ratings for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on help_ratings to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');

grant select on help_categories, help_articles, help_words to app_user;
grant select, insert, update, delete on help_categories, help_articles to app_system;
grant select, insert, delete on help_words to app_system;
grant select, insert, delete on help_messages to app_user;
grant select on help_ratings to app_user;
grant select, insert on help_ratings to app_system;
grant update (is_helpful, created_at) on help_ratings to app_system;
