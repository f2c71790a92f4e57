import { type KeyboardEvent, type SyntheticEvent, useState } from 'react';
import { ApiFailure, messageOf } from '../../../api/failure.ts';
import { serverClock } from '../../../api/serverClock.ts';
import type { ChangeOrderBody, Order } from '../../../api/types.ts';
import { useChangeOrder } from '../../../data/orders.ts';
import { formatPrice } from '../../../format/number.ts';
import { formatMoment } from '../../../format/time.ts';
import { useStore } from '../../../state/store.ts';
import { timeZoneState } from '../../../state/timeZone.ts';
import { toast, toastRejection } from '../../../state/toasts.ts';
import { Field } from '../../../ui/Field.tsx';
import { NumberField } from '../../../ui/NumberInput.tsx';
import { PriceField } from '../../../ui/PriceField.tsx';
import { draftTargets, sharesProblem, targetsBody, withFurtherTarget } from '../../shared/targets/targetDraft.ts';
import { TargetRows } from '../../shared/targets/TargetRows.tsx';
import { type Expiry, expiresAtMs, expiryNames } from '../ticket/draft.ts';

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
  const [expiry, setExpiry] = useState<Expiry | 'stored'>('stored');
  const body: ChangeOrderBody = { expected_revision: start.revision };
  if (price !== start.price) body.price = price;
  if (quantity !== start.quantity) body.quantity = quantity;
  if (stop !== null && stop !== start.stop_loss) body.stop_loss = stop;
  if (targets.length > 0) {
    const next = targetsBody(targets, start.side);
    if (JSON.stringify(next) !== JSON.stringify(targetsBody(draftTargets(start.take_profits ?? []), start.side)))
      body.take_profits = next;
  }
  return { price, setPrice, quantity, setQuantity, stop, setStop, targets, setTargets, expiry, setExpiry, body };
}

/** A chosen expiry, which counts from the moment it is saved. */
function expiryBody(expiry: Expiry | 'stored', nowMs: number): Pick<ChangeOrderBody, 'expires_at'> {
  if (expiry === 'stored') return {};
  const expiresMs = expiresAtMs(expiry, nowMs);
  return { expires_at: expiresMs === null ? null : new Date(expiresMs).toISOString() };
}

/** Price, size, stop and targets of a resting order. One that changed meanwhile is rejected with what it is now. */
export function EditOrder({ order, tickSize, decimals, onDone }: Props) {
  const draft = useOrderDraft(order);
  const changing = useChangeOrder();
  const shares = draft.targets.length === 0 ? null : sharesProblem(draft.targets);
  const save = (event: SyntheticEvent) => {
    event.preventDefault();
    const body = { ...draft.body, ...expiryBody(draft.expiry, serverClock.now()) };
    if (Object.keys(body).length === 1) {
      onDone();
      return;
    }
    // Uses the promise: the order may fill meanwhile, and its row is gone.
    changing.mutateAsync({ id: order.id, body }).then(
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
      className="sticky left-2.5 flex w-[calc(100vw-48px)] max-w-200 flex-wrap items-start gap-3 py-2 text-left whitespace-normal"
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
      <ExpirySelect stored={order.expires_at} value={draft.expiry} onSelect={draft.setExpiry} />
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

interface ExpiryProps {
  /** Stored expiry of the order; null: until it is cancelled. */
  stored: string | null;
  value: Expiry | 'stored';
  onSelect: (expiry: Expiry | 'stored') => void;
}

function ExpirySelect({ stored, value, onSelect }: ExpiryProps) {
  const { zone } = useStore(timeZoneState);
  const names = Object.entries(expiryNames).filter(([id]) => id !== 'never' || stored !== null);
  return (
    <div className="w-36">
      <Field label="Expires">
        {(ids) => (
          <select
            {...ids}
            className="input"
            value={value}
            onChange={({ currentTarget }) => onSelect(currentTarget.value as Expiry | 'stored')}
          >
            <option value="stored">{stored === null ? expiryNames.never : formatMoment(stored, zone)[0]}</option>
            {names.map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}
