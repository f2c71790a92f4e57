-- A database may be served on another market than the one its positions were opened on. They wait for theirs: neither what they are worth
-- nor how far they were watched is mixed with the positions of the market that is served.

drop index positions_one_open;
create unique index positions_one_open on positions (user_id, market, symbol, side) where closed_at is null;
drop index positions_open;
create index positions_open on positions (market, exchange, symbol) where closed_at is null;

alter table position_watch add column market text check (market in ('simulated', 'replay', 'live'));
-- Only series in which something is open have to be gone on with.
create temporary table watched on commit drop as
  select distinct p.market, w.exchange, w.symbol, w.next_candle_at
  from position_watch w join positions p using (exchange, symbol) where p.closed_at is null;
delete from position_watch;
alter table position_watch drop constraint position_watch_pkey;
insert into position_watch (market, exchange, symbol, next_candle_at)
  select market, exchange, symbol, next_candle_at from watched;
alter table position_watch
  alter column market set not null,
  add primary key (market, exchange, symbol);

alter table equity_points add column market text check (market in ('simulated', 'replay', 'live'));
-- A point of then was of the market on which its owner had opened last.
update equity_points e set market = coalesce((
  select p.market from positions p where p.user_id = e.user_id and p.opened_at <= e.created_at
  order by p.opened_at desc limit 1), 'simulated');
alter table equity_points alter column market set not null;
