-- When an erasing was last tried. Accounts that fail go behind those that were not tried yet, so they hold nobody up.
alter table deletion_requests add column tried_at timestamptz;
create index deletion_requests_turn on deletion_requests (tried_at nulls first, erase_after);
