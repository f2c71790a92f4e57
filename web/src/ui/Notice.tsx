import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ToastTone } from '../state/toasts.ts';

type Tone = 'error' | 'warn' | 'info';

const looks = {
  error: { icon: CircleAlert, className: 'border-down bg-down-soft', iconClassName: 'text-down' },
  warn: { icon: TriangleAlert, className: 'border-warn bg-warn-soft', iconClassName: 'text-warn' },
  info: { icon: Info, className: 'border-line bg-row-hover', iconClassName: 'text-accent' },
} as const;

/** A boxed line or two. Errors are announced at once, others read in order. */
export function Notice({ tone, children, action }: { tone: Tone; children: ReactNode; action?: ReactNode }) {
  const { icon: Icon, className, iconClassName } = looks[tone];
  return (
    <div
      role={tone === 'error' ? 'alert' : undefined}
      className={`flex items-start gap-2 rounded border px-3 py-2 ${className}`}
    >
      <Icon size={16} aria-hidden="true" className={`mt-0.5 shrink-0 ${iconClassName}`} />
      <div className="min-w-0 flex-1 break-words">{children}</div>
      {action}
    </div>
  );
}

const icons = {
  info: { Icon: Info, className: 'text-accent', name: 'Note' },
  success: { Icon: CircleCheck, className: 'text-up', name: 'Done' },
  error: { Icon: CircleAlert, className: 'text-down', name: 'Failed' },
};

/** @param isNamed also names the kind of the line to screen readers */
export function ToneIcon({ tone, isNamed = false }: { tone: ToastTone; isNamed?: boolean }) {
  const { Icon, className, name } = icons[tone];
  return (
    <>
      <Icon size={16} aria-hidden="true" className={`shrink-0 ${className}`} />
      {isNamed && <span className="sr-only">{name}:</span>}
    </>
  );
}
