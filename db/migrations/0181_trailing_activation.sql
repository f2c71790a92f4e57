-- Trailing starts after a move in favour: in stop distances as a setting, in percent of the entry price with the position.
alter table preferences add column trail_activation_stops double precision not null default 1
  check (trail_activation_stops between 0 and 10);

-- Null: opened before this column existed, or without trailing. Such a position trails from its entry on.
alter table positions add column trail_activation_pct double precision check (trail_activation_pct >= 0);
