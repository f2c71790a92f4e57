import type { ReactNode } from 'react';
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
