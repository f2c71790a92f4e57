-- Each visitor of the demo has an account of their own now. The one that all shared ends, with its sessions; the sweep erases it.
insert into deletion_requests (user_id, erase_after)
select id, now() from users where email = 'demo@sextant.local' on conflict do nothing;
delete from sessions where user_id in (select id from users where email = 'demo@sextant.local');
