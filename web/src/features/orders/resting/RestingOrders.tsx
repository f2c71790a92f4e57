import { useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import type { Order } from '../../../api/types.ts';
import { cancelledText, useCancelOrder, useCancelOrders, useRestingOrders } from '../../../data/orders.ts';
import { useOwnPrices } from '../../../data/ownPrices.ts';
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
import { toast } from '../../../state/toasts.ts';
import { ConfirmDialog } from '../../../ui/Dialog.tsx';
import { ErrorState, Panel } from '../../../ui/Panel.tsx';
import { type Column, TableHead } from '../../../ui/TableHead.tsx';
import { Time } from '../../../ui/Time.tsx';
import { EditOrder, nameOf } from './EditOrder.tsx';

const columns: readonly Column[] = [
  { name: 'Symbol', isText: true },
  { name: 'Order', isText: true },
  // Before the figures, so that small screens show it without scrolling.
  { name: 'Actions', isSilent: true },
  { name: 'Price' },
  { name: 'Quantity' },
  { name: 'Distance' },
  { name: 'Stop' },
  { name: 'Target' },
  { name: 'Reserved, USDT' },
  { name: 'Expires' },
];

/** Resting orders: edited in their row, cancelled one by one or all. Renders nothing without orders. */
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
  const cancelling = useCancelOrder();
  const { price, stop_loss: stop, take_profits: targets, expires_at: expiresAt } = order;
  const row = (
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
              onClick={() => cancelling.cancel(order.id, nameOf(order))}
            >
              Cancel
            </button>
          </span>
        )}
      </td>
      <td className="font-mono">{formatPrice(price, decimals)}</td>
      <td className="font-mono">{formatQuantity(order.quantity)}</td>
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
  if (!isEditing) return row;
  return (
    <>
      {row}
      <tr>
        <td colSpan={columns.length}>
          <EditOrder
            order={order}
            tickSize={contract?.tick_size ?? 0}
            decimals={decimals}
            onDone={() => onEdit(false)}
          />
        </td>
      </tr>
    </>
  );
}

function CancelAll({ orders }: { orders: readonly Order[] }) {
  const [isConfirming, setConfirming] = useState(false);
  const cancelling = useCancelOrders();
  const count = formatMany(orders.length, 'order');
  const cancel = () =>
    void cancelling.mutateAsync(orders.map(({ id }) => id)).then((failures) => {
      toast(cancelledText(orders.length, failures), failures.length === 0 ? 'success' : 'error');
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
