import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { toast, toastFailure } from '../state/toasts.ts';

interface Props {
  title: string;
  /** One sentence: the question, or what will happen. */
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

interface ButtonProps {
  label: string;
  isBusy: boolean;
  isDangerous?: boolean | undefined;
  onClose: () => void;
}

/** The last row of a form in a dialog. */
export function DialogButtons({ label, isBusy, isDangerous = false, onClose }: ButtonProps) {
  return (
    <div className="flex justify-end gap-2">
      <button type="button" className="btn btn-ghost" onClick={onClose}>
        Cancel
      </button>
      <button type="submit" className={`btn ${isDangerous ? 'btn-danger' : 'btn-primary'}`} disabled={isBusy}>
        {isBusy ? 'Processing...' : label}
      </button>
    </div>
  );
}

interface ConfirmProps extends ButtonProps {
  title: string;
  text: string;
  onConfirm: () => void;
  /** A choice above the buttons. */
  children?: ReactNode;
}

/** Requires a confirmation before an action. */
export function ConfirmDialog({ title, text, onConfirm, children, ...buttons }: ConfirmProps) {
  return (
    <Dialog title={title} text={text} isOpen onClose={buttons.onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          onConfirm();
        }}
      >
        {children}
        <DialogButtons {...buttons} />
      </form>
    </Dialog>
  );
}

interface RemovalProps extends Omit<ConfirmProps, 'onConfirm' | 'children' | 'isDangerous'> {
  remove: () => Promise<unknown>;
  done: string;
  failed: string;
}

/** Confirms before something is removed, and reports the result. */
export function RemovalDialog({ remove, done, failed, ...dialog }: RemovalProps) {
  // Uses the promise: the change event may unmount the row and this dialog before the response arrives.
  const submit = (): void =>
    void remove().then(
      () => {
        toast(done, 'success');
        dialog.onClose();
      },
      (failure: unknown) => toastFailure(failed, failure),
    );
  return <ConfirmDialog {...dialog} isDangerous onConfirm={submit} />;
}
