import { type KeyboardEvent, type SyntheticEvent, useState } from 'react';
import { ApiFailure, messageOf } from '../../../api/failure.ts';
import type { ChangeOrderBody, Order } from '../../../api/types.ts';
import { useChangeOrder } from '../../../data/orders.ts';
import { formatPrice } from '../../../format/number.ts';
import { toast, toastRejection } from '../../../state/toasts.ts';
import { NumberField } from '../../../ui/NumberInput.tsx';
import { PriceField } from '../../../ui/PriceField.tsx';
import { draftTargets, sharesProblem, targetsBody, withFurtherTarget } from '../../shared/targets/targetDraft.ts';
import { TargetRows } from '../../shared/targets/TargetRows.tsx';

export const nameOf = ({ side, type, symbol }: Order): string =>
  `${side === 'LONG' ? 'buy' : 'sell'} ${type} ${symbol}`;

interface Props {
  order: Order;
  tickSize: number;
  decimals: number | undefined;
  onDone: () => void;
}

const QUANTITY_DECIMALS = 8;

/** The order as it is edited, and what of it differs from the stored one. */
function useOrderDraft(order: Order) {
  // Of the order as editing started: what happens meanwhile must not be overwritten.
  const [start] = useState(order);
  const [price, setPrice] = useState(start.price ?? 0);
  const [quantity, setQuantity] = useState(start.quantity);
  const [stop, setStop] = useState(start.stop_loss);
  const [targets, setTargets] = useState(() => draftTargets(start.take_profits ?? []));
  const body: ChangeOrderBody = { expected_revision: start.revision };
  if (price !== start.price) body.price = price;
  if (quantity !== start.quantity) body.quantity = quantity;
  if (stop !== null && stop !== start.stop_loss) body.stop_loss = stop;
  if (targets.length > 0) {
    const next = targetsBody(targets, start.side);
    if (JSON.stringify(next) !== JSON.stringify(targetsBody(draftTargets(start.take_profits ?? []), start.side)))
      body.take_profits = next;
  }
  return { price, setPrice, quantity, setQuantity, stop, setStop, targets, setTargets, body };
}

/** Price, size, stop and targets of a resting order. One that changed meanwhile is rejected with what it is now. */
export function EditOrder({ order, tickSize, decimals, onDone }: Props) {
  const draft = useOrderDraft(order);
  const changing = useChangeOrder();
  const shares = draft.targets.length === 0 ? null : sharesProblem(draft.targets);
  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    if (Object.keys(draft.body).length === 1) {
      onDone();
      return;
    }
    // Uses the promise: the order may fill meanwhile, and its row is gone.
    changing.mutateAsync({ id: order.id, body: draft.body }).then(
      (changed) => {
        toast(`Changed: ${nameOf(changed)} at ${formatPrice(changed.price, decimals)}`, 'success');
        onDone();
      },
      (thrown: unknown) => {
        if (thrown instanceof ApiFailure && thrown.status === 404)
          toastRejection('This order does not rest any more.', thrown);
      },
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onDone();
  };
  const { error } = changing;
  const problem = error === null ? null : messageOf(error, 'Could not change the order.');
  return (
    <form
      noValidate
      aria-label={`Change ${nameOf(order)}`}
      className="flex max-w-200 flex-wrap items-start gap-3 py-2 text-left whitespace-normal"
      onSubmit={save}
      onKeyDown={onKeyDown}
    >
      <div className="w-36">
        <PriceField
          label="Price"
          value={draft.price}
          tickSize={tickSize}
          decimals={decimals}
          onChange={draft.setPrice}
        />
      </div>
      <div className="w-36">
        <NumberField
          label="Quantity"
          value={draft.quantity}
          min={10 ** -QUANTITY_DECIMALS}
          max={1e12}
          step={order.quantity / 10}
          decimals={QUANTITY_DECIMALS}
          onChange={draft.setQuantity}
        />
      </div>
      {draft.stop !== null && (
        <div className="w-36">
          <PriceField
            label="Stop loss"
            value={draft.stop}
            tickSize={tickSize}
            decimals={decimals}
            onChange={draft.setStop}
          />
        </div>
      )}
      {draft.targets.length > 0 && (
        <div className="w-80 max-w-full">
          <TargetRows
            targets={draft.targets}
            withNext={withFurtherTarget(draft.targets, { side: order.side, entry: draft.price, tickSize })}
            tickSize={tickSize}
            decimals={decimals}
            problem={shares}
            onChange={draft.setTargets}
          />
        </div>
      )}
      <span className="flex gap-1 pt-5">
        <button type="submit" className="btn btn-primary" disabled={changing.isPending || shares !== null}>
          Save
        </button>
        <button type="button" className="btn" onClick={onDone}>
          Discard
        </button>
      </span>
      {problem !== null && (
        <p role="alert" className="w-full text-label text-down">
          {problem}
        </p>
      )}
    </form>
  );
}
