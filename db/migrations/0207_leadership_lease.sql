-- Leadership is a lease: it ends unless its holder renews it. Leaders of before this migration hold none and claim again.
alter table leaderships add column expires_at timestamptz not null default now();
grant update (expires_at) on leaderships to app_system;
