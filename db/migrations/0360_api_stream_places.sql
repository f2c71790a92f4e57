-- Open streams of keys on each node. A node tells every few seconds that it lives; streams of one that does not are no longer counted.
create table api_stream_places (
  node uuid not null,
  key_id uuid not null references api_keys (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  streams integer not null check (streams > 0),
  seen_at timestamptz not null default now(),
  primary key (node, key_id)
);
create index api_stream_places_user on api_stream_places (user_id);
create index api_stream_places_key on api_stream_places (key_id);
create index api_stream_places_seen on api_stream_places (seen_at);

alter table api_stream_places enable row level security;
alter table api_stream_places force row level security;
create policy system_rows on api_stream_places to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, delete on api_stream_places to app_system;
grant update (streams, seen_at) on api_stream_places to app_system;
