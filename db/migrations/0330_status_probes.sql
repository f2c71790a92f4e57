-- What a probe of each dependency and of a real signal found, one row a minute for all nodes together. A good answer of one node
-- takes the place of a failure of another. The public status page is computed from these rows alone.
create table status_probes (
  minute timestamptz not null check (minute = date_trunc('minute', minute, 'UTC')),
  part text not null check (part in ('signals', 'database', 'binance', 'bybit', 'okx')),
  is_ok boolean not null,
  duration_ms double precision not null check (duration_ms >= 0),
  -- Code of the failure (docs/errors.md); null for a good answer.
  code text check (length(code) between 1 and 100),
  primary key (part, minute),
  check (is_ok = (code is null))
);
create index status_probes_minute on status_probes (minute);

alter table status_probes enable row level security;
alter table status_probes force row level security;
create policy system_rows on status_probes to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, update, delete on status_probes to app_system;
