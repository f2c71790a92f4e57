import { useMutation, useQueryClient } from '@tanstack/react-query';
import { signOut } from '../../api/auth.ts';
import { messageOf } from '../../api/failure.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { toastRefusal } from '../../state/toasts.ts';

// Apart from useSession.ts, which public pages load: they need no toasts.

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
