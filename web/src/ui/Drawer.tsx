import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useIsWide } from './useMedia.ts';

interface Props {
  title: string;
  /** Marks right after the title. */
  mark?: ReactNode;
  /** Content before the close button. */
  action?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** Details of a table row: beside the table where there is room, so that the arrow keys still move through its rows; a sheet elsewhere. */
export function Drawer({ title, mark, action, onClose, children }: Props) {
  const isWide = useIsWide('desktop');
  if (isWide)
    return (
      <aside
        aria-label={title}
        className="panel sticky top-[calc(var(--bar-height)+12px)] max-h-[calc(100dvh-var(--bar-height)-24px-var(--opening-line-height,0px))] w-120 shrink-0 self-start overflow-y-auto"
      >
        <Head
          title={<h2 className="text-section font-semibold">{title}</h2>}
          mark={mark}
          action={action}
          close={
            <button type="button" aria-label="Close details" className="btn btn-ghost btn-icon" onClick={onClose}>
              <X size={16} aria-hidden="true" />
            </button>
          }
        />
        {children}
      </aside>
    );
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-bg/70" />
        <Dialog.Popup className="popup fixed inset-x-0 bottom-0 z-50 mx-auto max-h-[88dvh] w-full max-w-120 overflow-y-auto">
          <Head
            title={<Dialog.Title className="text-section font-semibold">{title}</Dialog.Title>}
            mark={mark}
            action={action}
            close={
              <Dialog.Close aria-label="Close details" className="btn btn-ghost btn-icon">
                <X size={16} aria-hidden="true" />
              </Dialog.Close>
            }
          />
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Head({ title, mark, action, close }: Record<'title' | 'mark' | 'action' | 'close', ReactNode>) {
  return (
    <header className="sticky top-0 z-10 flex min-h-11 items-center gap-2 border-b border-line bg-panel px-3">
      {title}
      {mark}
      <span className="flex-1" />
      {action}
      {close}
    </header>
  );
}
