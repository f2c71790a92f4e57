-- Second opinions on signals. Nobody writes them but the service, and nobody changes one: no role may update or delete.

-- One row before each paid question: whoever holds it may ask once. The sum of a day is what the daily cap is held against.
create table ai_calls (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  input_hash text not null check (input_hash ~ '^[0-9a-f]{64}$'),
  prompt_hash text not null check (prompt_hash ~ '^[0-9a-f]{64}$'),
  model text not null check (length(model) between 1 and 100),
  -- The most the question may cost, in millionths of a dollar.
  reserved_microusd integer not null check (reserved_microusd > 0),
  created_at timestamptz not null default now(),
  unique (user_id, input_hash, prompt_hash, model)
);
create index ai_calls_user_created on ai_calls (user_id, created_at);
create index ai_calls_created on ai_calls (created_at);

create table ai_verdicts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  input_hash text not null check (input_hash ~ '^[0-9a-f]{64}$'),
  prompt_hash text not null check (prompt_hash ~ '^[0-9a-f]{64}$'),
  -- The model's id, or the version of the built-in rules.
  model text not null check (length(model) between 1 and 100),
  verdict jsonb not null check (pg_column_size(verdict) <= 8192),
  created_at timestamptz not null default now(),
  unique (user_id, input_hash, prompt_hash, model)
);
create index ai_verdicts_user_created on ai_verdicts (user_id, created_at);

alter table ai_calls enable row level security;
alter table ai_calls force row level security;
alter table ai_verdicts enable row level security;
alter table ai_verdicts force row level security;

create policy system_rows on ai_calls to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
create policy own_rows on ai_verdicts for select to app_user
  using (user_id = (select nullif(current_setting('app.user_id', true), '')::uuid));
create policy system_rows on ai_verdicts to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');

grant select, insert on ai_calls to app_system;
grant select on ai_verdicts to app_user;
grant select, insert on ai_verdicts to app_system;
