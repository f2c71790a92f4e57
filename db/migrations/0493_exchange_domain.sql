-- The exchanges of the product stand once in the database, as venueIds of engine-as/abi/costs.ts; a test compares the two lists.
create domain exchange_id as text constraint exchange_id_known check (value in ('binance', 'bybit', 'okx'));

alter table signals drop constraint signals_exchange_check, alter column exchange type exchange_id;
alter table positions drop constraint positions_exchange_check, alter column exchange type exchange_id;
alter table position_watch drop constraint position_watch_exchange_check, alter column exchange type exchange_id;
alter table position_marks drop constraint position_marks_exchange_check, alter column exchange type exchange_id;
alter table signal_marks drop constraint signal_marks_exchange_check, alter column exchange type exchange_id;
alter table arbitrage_fundings drop constraint arbitrage_fundings_exchange_check, alter column exchange type exchange_id;
alter table arbitrage_watches drop constraint arbitrage_watches_buy_check, drop constraint arbitrage_watches_sell_check,
  alter column buy type exchange_id, alter column sell type exchange_id;
alter table arbitrage_episodes drop constraint arbitrage_episodes_buy_check, drop constraint arbitrage_episodes_sell_check,
  alter column buy type exchange_id, alter column sell type exchange_id;

-- The server alone writes probes, of the parts it declares.
alter table status_probes drop constraint status_probes_part_check;
