-- Parameter sets that a key tried on a series through the tools for agents: choosing the best of many calls is a search, too.
create table api_key_trials (
  key_id uuid not null references api_keys (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  exchange text not null check (length(exchange) between 1 and 20),
  symbol text not null check (length(symbol) between 1 and 60),
  interval text not null check (length(interval) between 1 and 5),
  trials bigint not null check (trials > 0),
  tried_at timestamptz not null default now(),
  primary key (key_id, exchange, symbol, interval)
);
create index api_key_trials_user on api_key_trials (user_id, tried_at);

alter table api_key_trials enable row level security;
alter table api_key_trials force row level security;
create policy system_rows on api_key_trials to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert on api_key_trials to app_system;
grant update (trials, tried_at) on api_key_trials to app_system;
