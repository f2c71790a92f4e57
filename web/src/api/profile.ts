import { api, dataOf, readOrEmpty } from './client.ts';
import type { Profile, ProfileChange, Ranking } from './types.ts';

/** Pictures of a profile; also the last part of their routes. */
export type PictureKind = 'avatar' | 'cover';

/** Null without a session. */
export const fetchProfile = (): Promise<Profile | null> => readOrEmpty(api.GET('/api/profile'), null);
export const saveProfile = (body: ProfileChange): Promise<Profile> => dataOf(api.PUT('/api/profile', { body }));

/** Sends the file as the body itself: its name stays here. */
export const uploadPicture = (kind: PictureKind, file: Blob): Promise<Profile> =>
  dataOf(
    api.PUT(`/api/profile/${kind}`, {
      body: '',
      bodySerializer: () => file,
      headers: { 'content-type': 'application/octet-stream' },
    }),
  );

export const removePicture = (kind: PictureKind): Promise<Profile> => dataOf(api.DELETE(`/api/profile/${kind}`));

export const fetchRanking = (): Promise<Ranking> => dataOf(api.GET('/api/leaderboard'));

export const changeFollow = (username: string, isFollowed: boolean) => {
  const params = { path: { username } };
  return isFollowed
    ? dataOf(api.PUT('/api/follows/{username}', { params }))
    : dataOf(api.DELETE('/api/follows/{username}', { params }));
};
