import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  /** One sentence: what is asked, or what will happen. */
  text?: ReactNode;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Over the page, with the focus inside until it closes. Escape and a press outside close it. */
export function Dialog({ title, text, isOpen, onClose, children }: Props) {
  return (
    <Base.Root open={isOpen} onOpenChange={(isWanted) => !isWanted && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-bg opacity-75" />
        <Base.Popup className="popup fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-32px)] w-[min(420px,calc(100vw-32px))] -translate-x-1/2 -translate-y-1/2 flex-col gap-3 overflow-y-auto p-4 outline-none">
          <Base.Title className="text-section font-semibold">{title}</Base.Title>
          {text !== undefined && <Base.Description className="text-muted">{text}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
