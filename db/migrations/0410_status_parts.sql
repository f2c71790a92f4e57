-- Every dependency that is configured is probed, beside the database and the exchanges.
alter table status_probes drop constraint status_probes_part_check;
alter table status_probes add constraint status_probes_part_check check (part in (
  'signals', 'database', 'binance', 'bybit', 'okx', 'mail', 'coins', 'cards', 'ai', 'feeds', 'telegram', 'storage'));
