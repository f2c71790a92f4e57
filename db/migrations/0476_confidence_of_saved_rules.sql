-- Min Confidence is a chance. A saved strategy that has too few outcomes for one is held by its own threshold, unless its owner wants
-- the score held to the same percent.
alter table preferences add column min_conf_on_score boolean not null default false;

-- Any amount that a person trades with.
update preferences set balance_usdt = least(greatest(balance_usdt, 10), 1e8) where balance_usdt not between 10 and 1e8;
alter table preferences
  drop constraint preferences_balance_usdt_check,
  add constraint preferences_balance_usdt_check check (balance_usdt >= 10 and balance_usdt <= 1e8);
