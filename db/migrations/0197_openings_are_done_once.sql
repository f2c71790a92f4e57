-- Why the opening of a scan was refused as a whole. A finished run, refused or not, is never repeated.
alter table auto_runs add column refused text check (refused in ('scan_too_old'));
grant update (refused) on auto_runs to app_system;
