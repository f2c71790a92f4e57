-- expand
-- What followed each chart pattern on the stored candles, replayed by series. The figures follow from candles and engine, so a row is
-- replaced when one of them changes; no row belongs to a user.
create table pattern_records (
  source text not null check (length(source) between 1 and 300),
  exchange exchange_id not null,
  symbol text not null check (length(symbol) between 1 and 60),
  interval text not null check (interval in ('15m', '1h', '4h')),
  engine_hash text not null check (engine_hash ~ '^[0-9a-f]{64}$'),
  horizon_candles integer not null check (horizon_candles >= 1),
  -- Opens of the first and the last candle read.
  window_from timestamptz not null,
  window_to timestamptz not null,
  -- Candles with a close `horizon_candles` later, and how often that was above and below their own.
  candle_count integer not null check (candle_count >= 0),
  higher_count integer not null check (higher_count between 0 and candle_count),
  lower_count integer not null check (lower_count between 0 and candle_count - higher_count),
  -- By pattern id: {"bullish": {"count", "followedCount"}, "bearish": ...}.
  patterns jsonb not null check (jsonb_typeof(patterns) = 'object' and pg_column_size(patterns) <= 32768),
  created_at timestamptz not null default now(),
  check (window_from <= window_to),
  primary key (source, exchange, symbol, interval)
);
create index pattern_records_interval on pattern_records (source, interval);

alter table pattern_records enable row level security;
alter table pattern_records force row level security;
create policy system_rows on pattern_records to app_system
  using (current_user = 'app_system') with check (current_user = 'app_system');
grant select, insert, update, delete on pattern_records to app_system;
