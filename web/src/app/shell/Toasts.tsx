import { X } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { dismissUpdate, takeUpdate, updateState } from '../../state/offlineCopy.ts';
import { useStore } from '../../state/store.ts';
import { dismissToast, toastState } from '../../state/toasts.ts';
import { ErrorHelp } from '../../ui/HelpLink.tsx';
import { ToneIcon } from '../../ui/Notice.tsx';

/**
 * Lines at the bottom right, above a bar of actions; each closes after 3.5 s. Clicks pass through, except on Dismiss and on the link to the
 * help.
 */
export function Toasts() {
  const { list } = useSnapshot(toastState);
  return (
    <div
      role="status"
      className="toasts pointer-events-none fixed right-[calc(12px+var(--dock))] z-50 flex w-[min(360px,calc(100vw-24px))] flex-col gap-2"
    >
      {list.map((toast) => (
        <div key={toast.id} className="popup flex items-center gap-2 py-1.5 pr-1.5 pl-3">
          <ToneIcon tone={toast.tone} />
          <span className="min-w-0 flex-1 break-words">
            {toast.text}
            {toast.code !== undefined && (
              <span className="pointer-events-auto">
                {' '}
                <ErrorHelp code={toast.code} />
              </span>
            )}
          </span>
          <button
            type="button"
            aria-label="Dismiss"
            className="btn btn-ghost btn-small btn-icon pointer-events-auto"
            onClick={() => dismissToast(toast.id)}
          >
            <X size={14} aria-hidden="true" />
          </button>
        </div>
      ))}
      <UpdateLine />
    </div>
  );
}

/** Stays until the user decides: a reload would end what runs in this tab. */
function UpdateLine() {
  const { isReady } = useStore(updateState);
  if (!isReady) return null;
  return (
    <div className="popup pointer-events-auto flex items-center gap-2 py-1.5 pr-1.5 pl-3">
      <ToneIcon tone="info" />
      <span className="min-w-0 flex-1">A new version is ready.</span>
      <button type="button" className="btn btn-primary btn-small" onClick={takeUpdate}>
        Update
      </button>
      <button type="button" className="btn btn-ghost btn-small" onClick={dismissUpdate}>
        Later
      </button>
    </div>
  );
}
