-- expand
-- The guards read the newest partial closes of a user.
create index position_fills_partial_closes on position_fills (user_id, at desc) where kind = 'partial_close';
