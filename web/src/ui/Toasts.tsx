import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { dismissToast, toastState } from '../state/toasts.ts';

const icons = { info: Info, success: CircleCheck, error: CircleAlert };
const iconColours = { info: 'text-accent', success: 'text-up', error: 'text-down' };

/** Info lines at the bottom right; each leaves by itself after 3.5 s. */
export function Toasts() {
  const { list } = useSnapshot(toastState);
  return (
    <div
      role="status"
      className="pointer-events-none fixed right-3 bottom-3 z-50 flex w-[min(360px,calc(100vw-24px))] flex-col gap-2 max-md:bottom-[calc(var(--bottom-bar-height)+12px)]"
    >
      {list.map((toast) => {
        const Icon = icons[toast.tone];
        return (
          <div key={toast.id} className="popup pointer-events-auto flex items-center gap-2 py-1.5 pr-1.5 pl-3">
            <Icon size={16} aria-hidden="true" className={`shrink-0 ${iconColours[toast.tone]}`} />
            <span className="min-w-0 flex-1 break-words">{toast.text}</span>
            <button
              type="button"
              aria-label="Dismiss"
              className="btn btn-ghost btn-small btn-icon"
              onClick={() => dismissToast(toast.id)}
            >
              <X size={14} aria-hidden="true" />
            </button>
          </div>
        );
      })}
    </div>
  );
}
