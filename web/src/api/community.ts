import { api, dataOf } from './client.ts';
import type { Ranking } from './types.ts';

export const fetchRanking = (): Promise<Ranking> => dataOf(api.GET('/api/leaderboard'));

export const changeFollow = (username: string, isFollowed: boolean) => {
  const params = { path: { username } };
  return isFollowed
    ? dataOf(api.PUT('/api/follows/{username}', { params }))
    : dataOf(api.DELETE('/api/follows/{username}', { params }));
};
