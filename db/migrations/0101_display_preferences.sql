-- How a person likes to see the product. Null: never chosen in this account, so each browser keeps its own choice.
alter table preferences
  add column theme text check (theme in ('dark', 'light')),
  add column palette text check (palette in ('green-red', 'blue-orange')),
  add column time_zone text check (time_zone in ('local', 'utc'));
