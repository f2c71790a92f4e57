import { useEffect } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { marketLevels } from '../../../charts/marketLevels.ts';
import { registerPriceActions } from '../../../charts/priceActions.ts';
import { useCancelOrder, useChangeOrder, useRestingOrders } from '../../../data/orders.ts';
import { useSymbols, useTickDecimals } from '../../../data/symbols.ts';
import { formatPrice } from '../../../format/number.ts';
import { useStore } from '../../../state/store.ts';
import { toast } from '../../../state/toasts.ts';
import { nameOf } from './EditOrder.tsx';
import {
  cancelEntries,
  forgetMove,
  movedBody,
  movedOrder,
  onTick,
  orderLabel,
  orderLevels,
  partName,
  partOfLevel,
  partPrice,
} from './movedOrder.ts';

/** Draws resting orders on the charts, whose menu cancels them. After a line was dragged, a bar saves or discards the new price. */
export function MovedOrderBar() {
  const { data: orders } = useRestingOrders();
  const { moved } = useStore(movedOrder);
  const symbols = useSymbols().data?.symbols;
  const decimalsOf = useTickDecimals();
  const changing = useChangeOrder();
  const { cancel, isPending: isCancelling } = useCancelOrder();
  const order = orders?.find(({ id }) => id === moved?.id);
  useEffect(() => {
    marketLevels.set({
      bySymbol: orderLevels(orders ?? [], moved),
      onMove: (level, to) => {
        const { id, part } = partOfLevel(level);
        const dragged = orders?.find((each) => each.id === id);
        const tickSize = symbols?.find(({ symbol }) => symbol === dragged?.symbol)?.tick_size ?? 0;
        if (dragged === undefined) return;
        const price = onTick(dragged, { part, price: to }, tickSize);
        movedOrder.set({ moved: { id, part, price } });
      },
    });
  }, [orders, moved, symbols]);
  useEffect(() => () => marketLevels.set({ bySymbol: {} }), []);
  useEffect(
    () =>
      registerPriceActions(({ exchange, symbol }) =>
        cancelEntries(orders ?? [], { exchange, symbol }, decimalsOf(symbol)).map(({ order: each, ...entry }) => ({
          ...entry,
          run: () => cancel(each.id, nameOf(each)),
        })),
      ),
    [orders, decimalsOf, cancel],
  );
  if (moved === null || order === undefined) return null;
  const name = partName(moved.part, order);
  const line = `${orderLabel(order)}${name === '' ? '' : `, ${name}`}`;
  const save = () =>
    changing.mutateAsync({ id: order.id, body: movedBody(order, moved) }).then(
      (changed) => {
        forgetMove();
        toast(`${changed.symbol} ${line} moved to ${formatPrice(moved.price, decimalsOf(changed.symbol))}`, 'success');
      },
      // Shown in the bar.
      () => undefined,
    );
  const discard = () => {
    changing.reset();
    forgetMove();
  };
  return (
    <div
      role="group"
      aria-label="Moved order"
      className="popup fixed bottom-[calc(var(--bottom-bar-height)+12px)] left-[calc(50%-var(--dock)/2)] z-30 flex w-max max-w-[calc(100vw-24px-var(--dock))] -translate-x-1/2 flex-wrap items-center gap-3 px-3 py-2"
    >
      <span role="status" className="min-w-0 text-label">
        {order.symbol} {line}: {formatPrice(partPrice(order, moved.part), decimalsOf(order.symbol))} to{' '}
        <span className="font-medium">{formatPrice(moved.price, decimalsOf(order.symbol))}</span>
        {changing.error !== null && (
          <span className="block text-down">{messageOf(changing.error, 'Could not change the order.')}</span>
        )}
      </span>
      <span className="flex gap-2">
        <button
          type="button"
          className="btn btn-primary btn-small"
          disabled={changing.isPending}
          onClick={() => void save()}
        >
          Save
        </button>
        <button type="button" className="btn btn-small" disabled={changing.isPending} onClick={discard}>
          Discard
        </button>
        <button
          type="button"
          className="btn btn-ghost btn-small"
          disabled={changing.isPending || isCancelling}
          onClick={() => cancel(order.id, nameOf(order))}
        >
          Cancel order
        </button>
      </span>
    </div>
  );
}
