-- An account used to be named after the local part of its address, which a public profile would publish. Such names become the
-- neutral one of new accounts. The profile form always saves name and bio together, so a profile with a bio was saved while its name
-- stood on the screen: that name counts as set by its owner and stays. Username and pictures are saved apart from it and tell nothing.
update profiles set display_name = 'Trader'
from users
where users.id = profiles.user_id
  and users.email <> 'demo@sextant.local'
  and profiles.bio is null
  and profiles.display_name in (left(users.name, 50), left(split_part(users.email, '@', 1), 50));

update users set name = 'Trader' where email <> 'demo@sextant.local';
