import { ok } from '@sextant/workers/src/core/result.ts';
import { type Db, withSystem, withUser } from '../../platform/db/scope.ts';
import { type Outcome, reject } from '../../platform/errors.ts';
import { followsMax } from './contract.ts';
import { deleteFollow, deleteFollowers, findFollowable, insertFollow } from './repository.ts';

/** Follows or unfollows a user. Returns not_found for users who disabled followers. */
export async function changeFollow(
  db: Db,
  userId: string,
  username: string,
  isFollowed: boolean,
): Promise<Outcome<{ username: string; is_followed: boolean }>> {
  const followedId = await withSystem(db, (tx) => findFollowable(tx, username));
  if (followedId === undefined)
    return reject('not_found', 'Cannot follow this user. Check the name; they must allow followers.');
  if (followedId === userId)
    return reject('validation_failed', 'username is your own; choose another user.', { field: 'username' });
  const isDone = await withUser(db, userId, async (tx) => {
    if (isFollowed) return insertFollow(tx, userId, followedId);
    await deleteFollow(tx, followedId);
    return true;
  });
  if (!isDone) return reject('conflict', `You already follow ${followsMax} users. Unfollow one first.`);
  return ok({ username, is_followed: isFollowed });
}

/** Removes all followers when a user disables them. */
export const endFollowers = (db: Db, userId: string): Promise<void> =>
  withSystem(db, (tx) => deleteFollowers(tx, userId));
