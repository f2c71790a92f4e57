-- What keeps the dates of a feed from being read, for users; null when they are read.
alter table news_feeds add column date_note text check (length(date_note) <= 300);
