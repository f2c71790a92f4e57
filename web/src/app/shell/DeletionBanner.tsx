import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { cancelDeletion, fetchDeletion } from '../../api/account.ts';
import { messageOf } from '../../api/failure.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { toast } from '../../state/toasts.ts';
import { Time } from '../../ui/Time.tsx';

/** While the account is to be deleted: when, and the way back. It cannot be closed. */
export function DeletionBanner() {
  const queryClient = useQueryClient();
  const deletion = useQuery({ queryKey: queryKeys.account.deletion, queryFn: fetchDeletion, staleTime: 300_000 });
  const keep = useMutation({
    mutationFn: cancelDeletion,
    onSuccess: (state) => {
      queryClient.setQueryData(queryKeys.account.deletion, state);
      toast('Your account stays. Nothing is deleted.', 'success');
    },
    onError: (failure) => toast(messageOf(failure, 'The deletion was not cancelled. Try again.'), 'error'),
  });
  const eraseAfter = deletion.data?.erase_after ?? null;
  if (eraseAfter === null) return null;
  return (
    <aside
      aria-label="Deletion of your account"
      className="flex min-h-9 shrink-0 flex-wrap items-center justify-center gap-x-3 gap-y-1 border-b border-line bg-down-soft px-3 py-1 text-label"
    >
      <span>
        Your account and everything in it will be deleted on <Time at={eraseAfter} />.
      </span>
      {deletion.data?.can_cancel === true && (
        <button type="button" className="btn btn-small" disabled={keep.isPending} onClick={() => keep.mutate()}>
          Keep my account
        </button>
      )}
    </aside>
  );
}
