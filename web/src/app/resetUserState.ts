import { queryKeys } from '../api/queryKeys.ts';
import { runUserResets } from '../state/userReset.ts';
import { queryClient } from './queryClient.ts';

/** Nothing of one user is seen by the next. The session itself and the facts of the installation stay. */
export function resetUserState(): void {
  const kept = new Set<unknown>([queryKeys.session[0], queryKeys.app[0]]);
  queryClient.removeQueries({ predicate: (query) => !kept.has(query.queryKey[0]) });
  runUserResets();
}
