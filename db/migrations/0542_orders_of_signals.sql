-- The signal that an order follows: the position it opens names scan and signal, and has the confidence of its opening.
alter table orders
  add column scan_id uuid,
  add column signal_id uuid references signals (id),
  add column confidence double precision not null default 0 check (confidence between 0 and 1);
create index orders_signal on orders (signal_id);
