-- Outcomes were judged from the close of the signal's candle, so one could be known before its signal was created. They are judged
-- again from the first candle that opens after the creation, on the same candles; what cannot be judged again stays open.
alter table signal_outcomes disable trigger signal_outcomes_rows;
delete from signal_outcomes;
alter table signal_outcomes enable trigger signal_outcomes_rows;
