-- Rules of a contract as it was last listed: an exchange gives none for a contract that it has ended, and a test of the past needs them.
alter table history_listings
  add column rules jsonb check (jsonb_typeof(rules) = 'object');
grant update (rules) on history_listings to app_system;
