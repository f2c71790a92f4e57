-- The receipts of a deleted account stay without the person, so that the numbers of a year have no gap and its total stays right.
-- docs/adr/0009 says why.

alter table receipts
  alter column user_id drop not null,
  alter column event_id drop not null,
  alter column provider_order_id drop not null,
  drop constraint receipts_user_id_fkey,
  drop constraint receipts_event_id_fkey,
  add constraint receipts_user_id_fkey foreign key (user_id) references users (id) on delete set null,
  add constraint receipts_event_id_fkey foreign key (event_id) references payment_events (id) on delete set null,
  -- Either all of them name the buyer and the payment, or none does.
  add constraint receipts_person check (num_nulls(user_id, event_id, provider_order_id) in (0, 3)
    and (user_id is not null or provider_payment_id is null));

create function keep_receipt() returns trigger language plpgsql set search_path = pg_catalog, public as $$
begin
  -- The foreign keys clear one column when the account is gone: the rest of what leads to the person goes with it.
  if tg_op = 'UPDATE' and (new.user_id is null or new.event_id is null)
    and not exists (select from public.users where id = old.user_id)
  then
    new := old;
    new.user_id := null;
    new.event_id := null;
    new.provider_order_id := null;
    new.provider_payment_id := null;
    return new;
  end if;
  raise exception 'receipts is append-only' using errcode = 'restrict_violation';
end $$;
drop trigger receipts_rows on receipts;
create trigger receipts_rows before update or delete on receipts for each row execute function keep_receipt();
revoke execute on function keep_receipt() from public;
