-- Whether the owner has answered the line about the first automatic opening of the account.
alter table preferences add column auto_open_noticed boolean not null default false;
