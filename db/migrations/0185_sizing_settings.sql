-- How positions are sized, and whose stop and target they get. The defaults are those of the requirements: the size follows the
-- risk that is set, the base is the balance, and a position keeps the levels of its signal.

alter table preferences
  add column sizing_mode text not null default 'risk' check (sizing_mode in ('risk', 'fixed')),
  add column base_usdt double precision check (base_usdt >= 1 and base_usdt <= 1e12),
  add column levels_mode text not null default 'signal' check (levels_mode in ('signal', 'own'));
