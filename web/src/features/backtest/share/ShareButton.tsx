import { Link2 } from 'lucide-react';
import { toast } from '../../../state/toasts.ts';
import type { Run } from '../backtestState.ts';
import { shareLinkOf, whyNotShared } from './makeShareLink.ts';

/** Copies a link that holds parameters and hashes; whoever opens it sees the run repeated and compared. */
export function ShareButton({ run }: { run: Run }) {
  const reason = whyNotShared(run);
  const copy = async () => {
    if (reason !== null) {
      toast(reason);
      return;
    }
    const link = shareLinkOf(run, location.origin);
    try {
      await navigator.clipboard.writeText(link);
      toast('Link copied. It holds the parameters and the hashes, and is checked when it is opened', 'success');
    } catch {
      // A page that was not loaded over https has no clipboard.
      window.prompt('Copy this link', link);
    }
  };
  return (
    <button
      type="button"
      className="btn btn-small"
      // Not disabled: a finger and a keyboard get the reason too.
      title={reason ?? 'Copy a link to this run'}
      onClick={() => void copy()}
    >
      <Link2 size={14} aria-hidden="true" /> Share
    </button>
  );
}
