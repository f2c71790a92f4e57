import { useMutation, useQueryClient } from '@tanstack/react-query';
import { signOut } from '../../api/auth.ts';
import { messageOf } from '../../api/failure.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { toastRefusal } from '../../state/toasts.ts';

/** Ends the session on the server first: a page that only looks signed out would be a trap. */
export function useLogOut() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: signOut,
    onSuccess: () => queryClient.setQueryData(queryKeys.session, null),
    onError: (failure) =>
      toastRefusal(messageOf(failure, 'You are still signed in: the server did not answer'), failure),
  });
}
