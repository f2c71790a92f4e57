import { messageOf } from '../../../api/failure.ts';
import { useClosePosition } from '../../../api/positions.ts';
import { formatMoney, formatPrice, signTone } from '../../../format/number.ts';
import { toast } from '../../../state/toasts.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/Panel.tsx';
import type { Marked } from '../valuation/mark.ts';

interface Props {
  /** The position that is asked about; undefined while nothing is. */
  row: Marked | undefined;
  decimalsOf: (symbol: string) => number | undefined;
  onDone: () => void;
}

/** Stays in the page while nothing is asked: only so does it give the page behind it back. */
export function CloseDialog({ row, decimalsOf, onDone }: Props) {
  const name = row === undefined ? '' : `${row.position.side} ${row.position.symbol}`;
  return (
    <Dialog
      isOpen={row !== undefined}
      title={`Close ${name}?`}
      text="The server closes it at its current price and charges the exit fee. This cannot be undone."
      onClose={onDone}
    >
      {row !== undefined && <CloseForm row={row} decimals={decimalsOf(row.position.symbol)} onDone={onDone} />}
    </Dialog>
  );
}

interface FormProps {
  row: Marked;
  decimals: number | undefined;
  onDone: () => void;
}

/** Asks before a position is closed by hand. The server decides the price of that moment. */
function CloseForm({ row: { position, price, netIfClosed }, decimals, onDone }: FormProps) {
  const closing = useClosePosition();
  const name = `${position.side} ${position.symbol}`;
  // By its promise: the event of the closing may take the row and this form away before the answer is here.
  const close = () =>
    closing.mutateAsync(position.id).then(
      (closed) => {
        toast(`Position closed: ${name} at ${formatPrice(closed.closePrice, decimals)}`, 'success');
        onDone();
      },
      // Shown above the buttons.
      () => undefined,
    );
  return (
    <>
      <dl className="flex flex-col gap-1">
        <div className="flex justify-between gap-3">
          <dt className="text-muted">Last price</dt>
          <dd>{price === null ? 'not known now' : formatPrice(price, decimals)}</dd>
        </div>
        <div className="flex justify-between gap-3">
          <dt className="text-muted">Net at that price, USDT</dt>
          <dd className={`font-medium ${signTone(netIfClosed)}`}>{formatMoney(netIfClosed, true)}</dd>
        </div>
      </dl>
      {closing.error !== null && (
        <ErrorState failure={closing.error} text={messageOf(closing.error, 'The position could not be closed.')} />
      )}
      <div className="flex justify-end gap-2">
        <button type="button" className="btn" onClick={onDone}>
          Keep it open
        </button>
        <button type="button" className="btn btn-primary" disabled={closing.isPending} onClick={() => void close()}>
          Close position
        </button>
      </div>
    </>
  );
}
