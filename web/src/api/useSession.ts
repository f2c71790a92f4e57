import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toastRefusal } from '../state/toasts.ts';
import { fetchSession, signOut } from './auth.ts';
import { api, dataOf } from './client.ts';
import { messageOf } from './failure.ts';
import { queryKeys } from './queryKeys.ts';

/** The signed-in user, or null. The cookie cannot be read from here, so the server is asked. */
export function useSession() {
  return useQuery({ queryKey: queryKeys.session, queryFn: fetchSession, staleTime: 60_000 });
}

/** How this installation runs: demo or live, and which market it reads. Fixed while the server runs. */
export function useAppInfo() {
  return useQuery({
    queryKey: queryKeys.app,
    queryFn: ({ signal }) => dataOf(api.GET('/api/app', { signal })),
    staleTime: Infinity,
  });
}

/** Ends the session on the server first: the page must not look signed out while the session is still valid. */
export function useLogOut() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: signOut,
    onSuccess: () => queryClient.setQueryData(queryKeys.session, null),
    onError: (failure) =>
      toastRefusal(messageOf(failure, 'You are still signed in: the server did not answer'), failure),
  });
}
