-- The list of the routes that a user has called jumps from one to the next instead of reading every call of 30 days.
create index api_calls_user_route on api_calls (user_id, route);
