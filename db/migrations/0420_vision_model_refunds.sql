-- How many credits of a user came back on one day (UTC) because the AI model gave nothing usable: an uploader can provoke that, so it is
-- limited. One row for each user, that of the newest day. Counted here, because analyses go with the close of their symbol.
create table vision_model_refunds (
  user_id uuid primary key references users (id) on delete cascade,
  -- Its first moment.
  day timestamptz not null,
  count integer not null check (count between 1 and 1000)
);

alter table vision_model_refunds enable row level security;
alter table vision_model_refunds force row level security;
create policy system_rows on vision_model_refunds to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, update on vision_model_refunds to app_system;
