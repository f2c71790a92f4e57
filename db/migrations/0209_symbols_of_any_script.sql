-- Exchanges list coins of one letter (G, T, W) and coins with Chinese names. The pattern is SYMBOL_PATTERN of the workers; a test compares both.
alter table watchlist drop constraint watchlist_symbol_check;
alter table watchlist add constraint watchlist_symbol_check
  check (symbol ~ '^[A-Z0-9\u3041-\u3096\u30A1-\u30FA\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7A3]{1,36}USDT$');
