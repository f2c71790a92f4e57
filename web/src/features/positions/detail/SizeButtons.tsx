import { useState } from 'react';
import type { PositionView } from '../../../api/positionView.ts';
import { useReversePosition } from '../../../data/positions.ts';
import { formatPrice } from '../../../format/number.ts';
import { openTicket } from '../../../state/ticket.ts';
import { toast, toastFailure } from '../../../state/toasts.ts';
import { ConfirmDialog } from '../../../ui/Dialog.tsx';
import { newRequestKey } from '../../../api/requestKey.ts';

/** Adds to the position by the order ticket, or turns it round. */
export function SizeButtons({ position }: { position: PositionView }) {
  const [isConfirming, setConfirming] = useState(false);
  const reversing = useReversePosition();
  // A repeated press is the same reversal.
  const [key, setKey] = useState(newRequestKey);
  const { id, symbol, side } = position;
  const other = side === 'LONG' ? 'SHORT' : 'LONG';
  // Uses the promise: the close event may unmount this before the response arrives.
  const reverse = () =>
    void reversing.mutateAsync({ id, key }).then(
      ({ opened }) => {
        toast(`Reversed: ${other} ${symbol} opened at ${formatPrice(opened.entryPrice)}`, 'success');
        setConfirming(false);
        setKey(newRequestKey());
      },
      (failure: unknown) => toastFailure('Not reversed', failure),
    );
  return (
    <div className="flex gap-2 border-b border-line px-3 py-2">
      <button type="button" className="btn btn-small" onClick={() => openTicket({ symbol, side })}>
        Add
      </button>
      <button type="button" className="btn btn-small" onClick={() => setConfirming(true)}>
        Reverse
      </button>
      {isConfirming && (
        <ConfirmDialog
          title={`Reverse ${side} ${symbol}?`}
          text={`Closes it and opens a ${other} of the same size at the current price. Stop and target keep their distances.`}
          label={`Open the ${other}`}
          isBusy={reversing.isPending}
          onConfirm={reverse}
          onClose={() => setConfirming(false)}
        />
      )}
    </div>
  );
}
