-- Date of the newest report that joined a story, on its first item; null while none is newer. Stories are listed by it.
alter table news add column latest_at timestamptz;
update news story set latest_at = joined.at
  from (select story_id, max(pub_date) as at from news where id <> story_id group by story_id) joined
  where story.id = joined.story_id and joined.at > story.pub_date;
create index news_latest on news (market, kind, (coalesce(latest_at, pub_date)) desc) where id = story_id;
grant update (latest_at) on news to app_system;
