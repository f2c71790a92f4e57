-- A user may rename an own saved run; nothing else of a run ever changes. The policy own_rows covers updates.
grant update (name) on backtests to app_user;
