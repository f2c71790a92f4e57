-- A replaced key goes on signing beside its successor for a day, so that a receiver can change over without refusing a message.
alter table webhook_keys
  add column previous_sealed text check (length(previous_sealed) between 1 and 500),
  add column previous_until timestamptz,
  add check ((previous_sealed is null) = (previous_until is null));

grant update (previous_sealed, previous_until) on webhook_keys to app_system;
