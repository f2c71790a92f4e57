import { useState } from 'react';
import { ApiFailure, messageOf } from '../../../api/failure.ts';
import type { ChangeOrderBody, Order } from '../../../api/types.ts';
import { useOwnPrices } from '../../../data/ownPrices.ts';
import { useCancelOrders, useChangeOrder, useRestingOrders } from '../../../data/orders.ts';
import { useSymbols } from '../../../data/symbols.ts';
import {
  formatMany,
  formatMoney,
  formatPercent,
  formatPrice,
  formatQuantity,
  NO_VALUE,
  tickDecimals,
} from '../../../format/number.ts';
import { toast, toastRejection } from '../../../state/toasts.ts';
import { ConfirmDialog } from '../../../ui/Dialog.tsx';
import { NumberInput } from '../../../ui/NumberInput.tsx';
import { ErrorState, Panel } from '../../../ui/Panel.tsx';
import { type Column, TableHead } from '../../../ui/TableHead.tsx';
import { Time } from '../../../ui/Time.tsx';

const columns: readonly Column[] = [
  { name: 'Symbol', isText: true },
  { name: 'Order', isText: true },
  // In reach on a small screen, where the figures are scrolled to.
  { name: 'Actions', isSilent: true },
  { name: 'Price' },
  { name: 'Quantity' },
  { name: 'Away' },
  { name: 'Stop' },
  { name: 'Target' },
  { name: 'Set aside, USDT' },
  { name: 'Expires' },
];

/** Orders that wait for their price: edited in their row, cancelled one by one or all. Nothing is shown while none rests. */
export function RestingOrders() {
  const response = useRestingOrders();
  const orders = response.data ?? [];
  const symbols = [...new Set(orders.map(({ symbol }) => symbol))].sort();
  const prices = useOwnPrices(symbols)?.prices;
  const [editing, setEditing] = useState<string | null>(null);
  if (orders.length === 0 && response.error === null) return null;
  return (
    <Panel
      title={`Resting orders (${orders.length})`}
      aside={orders.length > 0 && <CancelAll orders={orders} />}
      bodyClassName=""
    >
      {response.error !== null && (
        <div className="p-3">
          <ErrorState
            failure={response.error}
            text={messageOf(response.error, 'Could not load orders.')}
            onRetry={() => void response.refetch()}
          />
        </div>
      )}
      {orders.length > 0 && (
        <div className="more-sideways relative overflow-x-auto" tabIndex={0} role="group" aria-label="Resting orders">
          <table className="table w-full min-w-220">
            <TableHead columns={columns} />
            <tbody>
              {orders.map((order) => (
                <OrderRow
                  key={order.id}
                  order={order}
                  last={prices?.find(({ symbol }) => symbol === order.symbol)?.price ?? null}
                  isEditing={order.id === editing}
                  onEdit={(isOn) => setEditing(isOn ? order.id : null)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

const nameOf = ({ side, type, symbol }: Order): string => `${side === 'LONG' ? 'buy' : 'sell'} ${type} ${symbol}`;

interface RowProps {
  order: Order;
  last: number | null;
  isEditing: boolean;
  onEdit: (isOn: boolean) => void;
}

function OrderRow(props: RowProps) {
  const { order, last, isEditing, onEdit } = props;
  const contract = useSymbols(order.exchange).data?.symbols.find(({ symbol }) => symbol === order.symbol);
  const decimals = contract === undefined ? undefined : tickDecimals(contract.tick_size);
  const cancelling = useCancelOrders();
  const cancel = () =>
    void cancelling.mutateAsync([order.id]).then(([failure]) => {
      if (failure === undefined) toast(`Cancelled: ${nameOf(order)}`, 'success');
      else toastRejection(messageOf(failure, 'Could not cancel the order.'), failure);
    });
  const { price, stop_loss: stop, take_profits: targets, expires_at: expiresAt } = order;
  return (
    <tr data-symbol={order.symbol}>
      <td className="lead font-medium">{order.symbol}</td>
      <td className="lead whitespace-nowrap">
        <span className={order.side === 'LONG' ? 'text-up' : 'text-down'}>
          {order.side === 'LONG' ? 'Buy' : 'Sell'}
        </span>{' '}
        {order.type} {order.leverage}x{order.reduce_only && ', reduce only'}
      </td>
      <td>
        {!isEditing && (
          <span className="flex justify-end gap-1">
            <button
              type="button"
              className="btn btn-ghost btn-small"
              aria-label={`Edit ${nameOf(order)}`}
              onClick={() => onEdit(true)}
            >
              Edit
            </button>
            <button
              type="button"
              className="btn btn-ghost btn-small"
              aria-label={`Cancel ${nameOf(order)}`}
              disabled={cancelling.isPending}
              onClick={cancel}
            >
              Cancel
            </button>
          </span>
        )}
      </td>
      {isEditing ? (
        <EditCells order={order} tickSize={contract?.tick_size ?? 0} decimals={decimals} onDone={() => onEdit(false)} />
      ) : (
        <>
          <td className="font-mono">{formatPrice(price, decimals)}</td>
          <td className="font-mono">{formatQuantity(order.quantity)}</td>
        </>
      )}
      <td className="font-mono">
        {price === null || last === null ? NO_VALUE : formatPercent(price / last - 1, true)}
      </td>
      <td className="font-mono">{formatPrice(stop, decimals)}</td>
      <td className="font-mono">
        {targets === null ? NO_VALUE : targets.map((target) => formatPrice(target.price, decimals)).join(', ')}
      </td>
      <td className="font-mono">{formatMoney(order.reserved)}</td>
      <td className="whitespace-nowrap">{expiresAt === null ? 'Never' : <Time at={expiresAt} />}</td>
    </tr>
  );
}

interface EditProps {
  order: Order;
  tickSize: number;
  decimals: number | undefined;
  onDone: () => void;
}

const QUANTITY_DECIMALS = 8;
const STANDARD_DECIMALS = 8;

/** Price and quantity of an order as they are edited. An order that changed meanwhile is rejected with what it is now. */
function EditCells({ order, tickSize, decimals = STANDARD_DECIMALS, onDone }: EditProps) {
  const [price, setPrice] = useState(order.price ?? 0);
  const [quantity, setQuantity] = useState(order.quantity);
  // Of the order as editing started: what happens meanwhile must not be overwritten.
  const [revision] = useState(order.revision);
  const changing = useChangeOrder();
  const least = tickSize > 0 ? tickSize : 10 ** -decimals;
  const body: ChangeOrderBody = { expected_revision: revision };
  if (price !== order.price) body.price = price;
  if (quantity !== order.quantity) body.quantity = quantity;
  const save = () => {
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
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'Enter') save();
    if (event.key === 'Escape') onDone();
  };
  const problem = changing.error === null ? null : messageOf(changing.error, 'Could not change the order.');
  return (
    <>
      <td onKeyDown={onKeyDown}>
        <NumberInput
          aria-label={`Price of ${nameOf(order)}`}
          isSmall
          value={price}
          min={least}
          max={1e9}
          step={least}
          decimals={decimals}
          onChange={setPrice}
        />
      </td>
      <td onKeyDown={onKeyDown}>
        <span className="flex flex-col gap-1">
          <NumberInput
            aria-label={`Quantity of ${nameOf(order)}`}
            isSmall
            value={quantity}
            min={10 ** -QUANTITY_DECIMALS}
            max={1e12}
            step={order.quantity / 10}
            decimals={QUANTITY_DECIMALS}
            onChange={setQuantity}
          />
          <span className="flex gap-1">
            <button type="button" className="btn btn-primary btn-small" disabled={changing.isPending} onClick={save}>
              Save
            </button>
            <button type="button" className="btn btn-small" onClick={onDone}>
              Discard
            </button>
          </span>
          {problem !== null && (
            <span role="alert" className="text-label whitespace-normal text-down">
              {problem}
            </span>
          )}
        </span>
      </td>
    </>
  );
}

function CancelAll({ orders }: { orders: readonly Order[] }) {
  const [isConfirming, setConfirming] = useState(false);
  const cancelling = useCancelOrders();
  const count = formatMany(orders.length, 'order');
  const cancel = () =>
    void cancelling.mutateAsync(orders.map(({ id }) => id)).then((failures) => {
      const left = failures.length === 0 ? '' : ` ${failures.length} had ended before.`;
      toast(`${formatMany(orders.length - failures.length, 'order')} cancelled.${left}`, 'success');
      setConfirming(false);
    });
  return (
    <>
      <button type="button" className="btn btn-small" onClick={() => setConfirming(true)}>
        Cancel all
      </button>
      {isConfirming && (
        <ConfirmDialog
          title={`Cancel ${count}?`}
          text="Open positions stay as they are."
          label="Cancel orders"
          isBusy={cancelling.isPending}
          isDangerous
          onConfirm={cancel}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}
