import { partNet } from '@sextant/workers/src/positions/openFigures.ts';
import { useState } from 'react';
import { messageOf } from '../../api/failure.ts';
import type { ClosePositionBody } from '../../api/types.ts';
import { useOrderPreview } from '../../data/orders.ts';
import { useClosePosition } from '../../data/positions.ts';
import { formatMoney, formatPrice, formatQuantity, signTone } from '../../format/number.ts';
import { toast } from '../../state/toasts.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { NumberInput } from '../../ui/NumberInput.tsx';
import { ErrorState } from '../../ui/Panel.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { fillName, NET_IF_CLOSED } from './detail/positionFacts.ts';
import type { Marked } from './mark.ts';
import { newRequestKey } from '../../api/requestKey.ts';

interface CloseProps {
  /** The position to confirm; undefined while the dialog is closed. */
  row: Marked | undefined;
  decimalsOf: (symbol: string) => number | undefined;
  onDone: () => void;
}

/** Stays mounted while closed: otherwise it would not restore the page behind it. */
export function CloseDialog({ row, decimalsOf, onDone }: CloseProps) {
  const name = row === undefined ? '' : `${row.position.side} ${row.position.symbol}`;
  return (
    <Dialog
      isOpen={row !== undefined}
      title={`Close ${name}?`}
      text="Closes at the market and charges the exit fee. This is final."
      onClose={onDone}
    >
      {row !== undefined && <CloseForm row={row} decimals={decimalsOf(row.position.symbol)} onDone={onDone} />}
    </Dialog>
  );
}

const parts = ['25 %', '50 %', '75 %', '100 %', 'Quantity'] as const;
type Part = (typeof parts)[number];
const fractions: Record<Part, number | null> = { '25 %': 0.25, '50 %': 0.5, '75 %': 0.75, '100 %': 1, Quantity: null };

/** The body of a choice; undefined closes all of it. */
export function partBody(part: Part, quantity: number): ClosePositionBody | undefined {
  const fraction = fractions[part];
  if (fraction === 1) return undefined;
  return fraction === null ? { quantity } : { fraction };
}

const QUANTITY_DECIMALS = 8;

interface FormProps {
  row: Marked;
  decimals: number | undefined;
  onDone: () => void;
}

/** Confirms before a position is closed by hand. The server sets the price at that moment. */
function CloseForm({ row, decimals, onDone }: FormProps) {
  const { position, price, fill } = row;
  const { id, side, symbol, qty } = position;
  const closing = useClosePosition();
  const [part, setPart] = useState<Part>('100 %');
  const [quantity, setQuantity] = useState(qty / 2);
  // A repeated press closes the same part; another choice is another close.
  const [base] = useState(newRequestKey);
  const [problem, setProblem] = useState<string>();
  const body = partBody(part, quantity);
  const partResult = usePartNet(row, body);
  const net = body === undefined ? row.netIfClosed : partResult;
  const name = `${side} ${symbol}`;
  // Uses the promise: the close event may unmount the row and this form before the response arrives.
  const close = () =>
    closing.mutateAsync({ id, part: body ?? {}, key: `${base}-${JSON.stringify(body ?? {})}` }).then(
      ({ position: after, fill: done, notes }) => {
        const what =
          after.closedAt === null ? `${formatQuantity(done.quantity)} of ${name} closed` : `Position closed: ${name}`;
        toast([`${what} at ${formatPrice(done.price, decimals)}`, ...notes].join('. '), 'success');
        onDone();
      },
      // Shown above the buttons.
      () => undefined,
    );
  return (
    <>
      <Segments label="Part to close" isSmall options={parts} value={part} onSelect={setPart} />
      {part === 'Quantity' && (
        <NumberInput
          aria-label="Quantity to close"
          value={quantity}
          min={10 ** -QUANTITY_DECIMALS}
          max={qty}
          step={qty / 10}
          decimals={QUANTITY_DECIMALS}
          onChange={setQuantity}
          onError={setProblem}
        />
      )}
      {problem !== undefined && <p className="text-label text-down">{problem}</p>}
      <dl className="flex flex-col gap-1">
        <div className="flex justify-between gap-3">
          <dt className="text-muted">Last price</dt>
          <dd>{price === null ? 'not known now' : formatPrice(price, decimals)}</dd>
        </div>
        <div className="flex justify-between gap-3">
          <dt className="text-muted">{fillName(row)}</dt>
          <dd>{formatPrice(fill, decimals)}</dd>
        </div>
        <div className="flex justify-between gap-3">
          <dt className="text-muted">{body === undefined ? NET_IF_CLOSED : 'Net of this part, USDT'}</dt>
          <dd className={`font-medium ${signTone(net)}`}>{formatMoney(net, true)}</dd>
        </div>
      </dl>
      {closing.error !== null && (
        <ErrorState failure={closing.error} text={messageOf(closing.error, 'Could not close the position.')} />
      )}
      <div className="flex justify-end gap-2">
        <button type="button" className="btn" onClick={onDone}>
          Keep it open
        </button>
        <button
          type="button"
          className="btn btn-primary"
          disabled={closing.isPending || problem !== undefined}
          onClick={() => void close()}
        >
          {body === undefined ? 'Close position' : 'Close this part'}
        </button>
      </div>
    </>
  );
}

/** Net result of closing a part now; null while unknown. The server has the accepted quantity and its costs, the row the fill. */
function usePartNet({ position, fill }: Marked, body: ClosePositionBody | undefined): number | null {
  const { symbol, side, qty, takerFeeFraction } = position;
  const request = {
    symbol,
    side: side === 'LONG' ? ('SHORT' as const) : ('LONG' as const),
    type: 'market' as const,
    quantity: body?.quantity ?? (body?.fraction ?? 1) * qty,
    reduce_only: true,
    interval: '1h' as const,
  };
  const { data, isPlaceholderData } = useOrderPreview(body === undefined ? null : request);
  if (fill === null || data === undefined || isPlaceholderData) return null;
  const { quantity, costs_so_far: costs } = data;
  if (!(quantity > 0) || costs === null) return null;
  return partNet(position, { quantity, costs }, fill, takerFeeFraction);
}
