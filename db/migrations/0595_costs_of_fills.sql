-- expand
-- What a market order paid: the price before its costs and half of the spread, per unit. Null: a limit order, a liquidation, a settlement, or
-- a fill from before this was recorded; half_spread alone: the exchange sent no bid or ask.
alter table position_fills
  add column market_price numeric check (market_price > 0),
  add column half_spread numeric check (half_spread >= 0),
  add constraint position_fills_costs check (market_price is not null or half_spread is null) not valid;
