import { Menu } from '@base-ui/react/menu';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../api/failure.ts';
import { type CloseAllKind, useCloseAll } from '../../data/positions.ts';
import type { PositionView } from '../../api/positionView.ts';
import { formatCount, formatMany, formatMoney, signTone } from '../../format/number.ts';
import { toast } from '../../state/toasts.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/Panel.tsx';
import { NET_IF_CLOSED } from './detail/positionFacts.ts';
import { type Marked, totalsOf } from './mark.ts';

/** In this order. */
const kinds = ['all', 'losers', 'winners', 'long', 'short'] as const satisfies readonly CloseAllKind[];
const kindNames: Record<CloseAllKind, string> = {
  all: 'All',
  losers: 'Losers',
  winners: 'Winners',
  long: 'Longs',
  short: 'Shorts',
};
const nounOf: Record<CloseAllKind, string> = {
  all: 'position',
  losers: 'loser',
  winners: 'winner',
  long: 'long',
  short: 'short',
};

/** Rows of a kind; losers and winners by the net result of closing now, so that those without a price are neither. */
export function rowsOfKind(rows: readonly Marked[], kind: CloseAllKind): Marked[] {
  return rows.filter(({ position: { side }, netIfClosed: net }) => {
    if (kind === 'all') return true;
    if (kind === 'long' || kind === 'short') return side === (kind === 'long' ? 'LONG' : 'SHORT');
    return net !== null && net < 0 === (kind === 'losers');
  });
}

/** Net result of closing the rows now, USDT: null where none has a price; the note says how many have one, when not all. */
export function closeAllNet(rows: readonly Marked[]): { net: number | null; note: string | null } {
  const count = rows.filter(({ netIfClosed }) => netIfClosed !== null).length;
  if (count === 0) return { net: null, note: null };
  const note = count < rows.length ? `${formatCount(count)} of ${formatCount(rows.length)} priced` : null;
  return { net: totalsOf(rows).netIfClosed, note };
}

/** Closes several positions at once, after a confirmation. @param rows every open position, not only those in sight */
export function CloseAllMenu({ rows }: { rows: readonly Marked[] }) {
  const [kind, setKind] = useState<CloseAllKind | null>(null);
  if (rows.length === 0 && kind === null) return null;
  return (
    <>
      <Menu.Root modal={false}>
        <Menu.Trigger className="btn btn-small" disabled={rows.length === 0}>
          Close all <ChevronDown size={14} aria-hidden="true" />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner align="end" sideOffset={4} collisionPadding={8} className="z-40">
            <Menu.Popup className="popup w-48 p-1 outline-none">
              {kinds.map((each) => {
                const count = rowsOfKind(rows, each).length;
                return (
                  <Menu.Item
                    key={each}
                    className="menu-item justify-between data-disabled:opacity-50"
                    disabled={count === 0}
                    onClick={() => setKind(each)}
                  >
                    <span>{kindNames[each]}</span>
                    <span className="font-mono text-label text-muted">{count}</span>
                  </Menu.Item>
                );
              })}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      <CloseAllDialog kind={kind} rows={rows} onDone={() => setKind(null)} />
    </>
  );
}

interface DialogProps {
  kind: CloseAllKind | null;
  rows: readonly Marked[];
  onDone: () => void;
}

/** Stays mounted while closed, to restore the page behind it. */
function CloseAllDialog({ kind, rows, onDone }: DialogProps) {
  const own = kind === null ? [] : rowsOfKind(rows, kind);
  const what = kind === null ? '' : formatMany(own.length, nounOf[kind]);
  return (
    <Dialog
      isOpen={kind !== null}
      title={`Close ${what}?`}
      text="Each closes at the market and pays the exit fee. This is final."
      onClose={onDone}
    >
      {kind !== null && <CloseAllForm kind={kind} rows={own} onDone={onDone} />}
    </Dialog>
  );
}

const listed = (names: readonly Pick<PositionView, 'symbol'>[]): string => names.map(({ symbol }) => symbol).join(', ');

interface FormProps {
  kind: CloseAllKind;
  rows: readonly Marked[];
  onDone: () => void;
}

function CloseAllForm({ kind, rows, onDone }: FormProps) {
  const closing = useCloseAll();
  // A repeated press closes the same positions.
  const [key] = useState(() => crypto.randomUUID());
  const unpriced = rows.filter(({ netIfClosed }) => netIfClosed === null);
  const unspread = rows.filter(({ isSpreadKnown }) => isSpreadKnown === false);
  const { net, note } = closeAllNet(rows);
  const close = () =>
    closing.mutateAsync({ which: kind, key }).then(
      ({ closed, left, net_pnl: result }) => {
        if (closed.length > 0 || left.length === 0)
          toast(`${formatMany(closed.length, 'position')} closed, net ${formatMoney(result, true)} USDT`, 'success');
        for (const { side, symbol, message } of left) toast(`${side} ${symbol} stays open: ${message}`, 'error');
        onDone();
      },
      // Shown above the buttons.
      () => undefined,
    );
  return (
    <>
      <dl className="flex flex-col gap-1">
        <div className="flex justify-between gap-3">
          <dt className="text-muted">Positions</dt>
          <dd className="text-right">{listed(rows.map(({ position }) => position))}</dd>
        </div>
        <div className="flex justify-between gap-3">
          <dt className="text-muted">{NET_IF_CLOSED}</dt>
          <dd className="text-right">
            <span className={`font-medium ${signTone(net)}`}>{formatMoney(net, true)}</span>
            {note !== null && <span className="block text-label text-muted">{note}</span>}
          </dd>
        </div>
      </dl>
      {unpriced.length > 0 && (
        <p className="text-warn">
          No fresh price: {listed(unpriced.map(({ position }) => position))}. They may stay open.
        </p>
      )}
      {unspread.length > 0 && (
        <p className="text-muted">
          Spread unknown, slippage alone: {listed(unspread.map(({ position }) => position))}.
        </p>
      )}
      {closing.error !== null && (
        <ErrorState failure={closing.error} text={messageOf(closing.error, 'Could not close the positions.')} />
      )}
      <div className="flex justify-end gap-2">
        <button type="button" className="btn" onClick={onDone}>
          Keep them open
        </button>
        <button
          type="button"
          className="btn btn-primary"
          disabled={closing.isPending || rows.length === 0}
          onClick={() => void close()}
        >
          Close {formatMany(rows.length, nounOf[kind])}
        </button>
      </div>
    </>
  );
}
