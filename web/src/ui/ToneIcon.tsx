import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import type { ToastTone } from '../state/toasts.ts';

const looks = {
  info: { Icon: Info, className: 'text-accent', name: 'Note' },
  success: { Icon: CircleCheck, className: 'text-up', name: 'Done' },
  error: { Icon: CircleAlert, className: 'text-down', name: 'Failed' },
};

/** @param isNamed also says the kind of the line to a screen reader */
export function ToneIcon({ tone, isNamed = false }: { tone: ToastTone; isNamed?: boolean }) {
  const { Icon, className, name } = looks[tone];
  return (
    <>
      <Icon size={16} aria-hidden="true" className={`shrink-0 ${className}`} />
      {isNamed && <span className="sr-only">{name}:</span>}
    </>
  );
}
