import { ok } from '@sextant/workers/src/result.ts';
import { type Db, withSystem, withUser } from '../../platform/db/scope.ts';
import { type Outcome, refuse } from '../../platform/errors.ts';
import { followsMax } from './contract.ts';
import { deleteFollow, deleteFollowers, findFollowable, insertFollow } from './repository.ts';

/** Follows somebody, or no longer. Who allows nobody to follow does not exist here. */
export async function changeFollow(
  db: Db,
  userId: string,
  username: string,
  isFollowed: boolean,
): Promise<Outcome<{ username: string; is_followed: boolean }>> {
  const followedId = await withSystem(db, (tx) => findFollowable(tx, username));
  if (followedId === undefined) return refuse('not_found', 'Nobody with this username can be followed.');
  if (followedId === userId) return refuse('validation_failed', 'This is you.', { field: 'username' });
  const isDone = await withUser(db, userId, async (tx) => {
    if (isFollowed) return insertFollow(tx, userId, followedId);
    await deleteFollow(tx, followedId);
    return true;
  });
  if (!isDone) return refuse('conflict', `You follow ${followsMax} people already. Stop following one first.`);
  return ok({ username, is_followed: isFollowed });
}

/** For somebody who no longer allows it. */
export const endFollowers = (db: Db, userId: string): Promise<void> =>
  withSystem(db, (tx) => deleteFollowers(tx, userId));
