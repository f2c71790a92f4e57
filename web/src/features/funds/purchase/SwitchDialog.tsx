import { useState } from 'react';
import { useCancelPayment } from '../../../api/payments.ts';
import type { Payment } from '../../../api/types.ts';
import { formatCount } from '../../../format/number.ts';
import { methodText } from '../../../format/paymentNames.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/Panel.tsx';
import { fundsState } from '../fundsState.ts';
import type { CoinMethodInfo } from './PurchasePage.tsx';

interface Props {
  open: Payment | undefined;
  /** The method that was chosen instead; null while nothing is asked. */
  next: CoinMethodInfo | null;
  onDone: () => void;
}

/** Asked before another method closes the open payment. */
export function SwitchDialog({ open, next, onDone }: Props) {
  const isOpen = open !== undefined && next !== null;
  return (
    <Dialog
      isOpen={isOpen}
      title={next === null ? '' : `Switch to ${methodText(next)}?`}
      text={
        open !== undefined &&
        `The open payment of ${formatCount(open.tokens)} credits by ${methodText(open)} is cancelled. Coins you have sent already are still credited when they arrive.`
      }
      onClose={onDone}
    >
      {isOpen && <SwitchButtons open={open} next={next} onDone={onDone} />}
    </Dialog>
  );
}

function SwitchButtons({ open, next, onDone }: { open: Payment; next: CoinMethodInfo; onDone: () => void }) {
  const cancel = useCancelPayment();
  const [isRefused, setRefused] = useState(false);
  const switchMethod = async () => {
    const isCancelled = await cancel.mutateAsync({ order_id: open.order_id, reason: 'cancelled' });
    setRefused(!isCancelled);
    if (!isCancelled) return;
    fundsState.watchedId = null;
    fundsState.method = next.method;
    onDone();
  };
  return (
    <>
      {isRefused && <ErrorState text="The open payment was not cancelled. Try again." />}
      <div className="flex flex-wrap justify-end gap-2">
        <button type="button" className="btn" onClick={onDone}>
          Keep the open payment
        </button>
        <button
          type="button"
          className="btn btn-primary"
          disabled={cancel.isPending}
          onClick={() => void switchMethod()}
        >
          Cancel it and switch
        </button>
      </div>
    </>
  );
}
