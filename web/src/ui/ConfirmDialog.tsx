import type { ReactNode } from 'react';
import { toast, toastFailure } from '../state/toasts.ts';
import { Dialog } from './Dialog.tsx';

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

interface Props extends ButtonProps {
  title: string;
  text: string;
  onConfirm: () => void;
  /** A choice above the buttons. */
  children?: ReactNode;
}

/** Asks once more before something is done. */
export function ConfirmDialog({ title, text, onConfirm, children, ...buttons }: Props) {
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

interface RemovalProps extends Omit<Props, 'onConfirm' | 'children' | 'isDangerous'> {
  remove: () => Promise<unknown>;
  done: string;
  failed: string;
}

/** Asks before something is removed, and tells the result. */
export function RemovalDialog({ remove, done, failed, ...dialog }: RemovalProps) {
  // By its promise: the event of the change may take the row and this dialog away before the answer is here.
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
