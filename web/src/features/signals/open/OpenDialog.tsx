import { CLOSE_GUARDS } from '@sextant/workers/src/positions/bookTypes.ts';
import { useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { useTickDecimals } from '../../../data/symbols.ts';
import { useOpenPosition, usePreview } from '../../../data/positions.ts';
import type { OpenPositionBody, PositionPreview, Scan, ScanSignal } from '../../../api/types.ts';
import {
  formatAmount,
  formatMoney,
  formatPercent,
  formatPrice,
  formatQuantity,
  NO_VALUE,
} from '../../../format/number.ts';
import { toast } from '../../../state/toasts.ts';
import { SlotsLink } from '../results/SignalParts.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { ErrorState, Loaded } from '../../../ui/Panel.tsx';

const usdt = (value: number | null): string => (value === null ? NO_VALUE : `${formatMoney(value)}\u00a0USDT`);
const pct = (value: number | null): string => (value === null ? NO_VALUE : formatPercent(value / 100));

/** What opening would do, in order of importance: the risk first. */
function previewRows(preview: PositionPreview, decimals: number | undefined): [name: string, value: string][] {
  const { fee_entry: entryFee, fee_exit_at_stop: exitFee, funding_rate: funding } = preview;
  return [
    ['Loss at the stop, net', `${usdt(preview.loss_at_stop)}, ${pct(preview.loss_at_stop_pct)} of the balance`],
    ['Risk per trade, by your settings', pct(preview.risk_pct)],
    ['Gain at the target, net', usdt(preview.gain_at_target)],
    ['Liquidation', formatPrice(preview.liquidation_approx, decimals)],
    ['Entry, last price', formatPrice(preview.entry_price, decimals)],
    ['Stop', formatPrice(preview.stop_loss, decimals)],
    ['Target', formatPrice(preview.take_profit, decimals)],
    ['Fees, entry and exit at the stop', `${formatMoney(entryFee)} + ${usdt(exitFee)}`],
    ['Next funding, paid by longs', funding === null ? NO_VALUE : formatPercent(funding, true)],
    ['Quantity', formatQuantity(preview.qty)],
    ['Size, of balance x leverage', formatPercent(preview.risk_multiplier)],
    ['Notional', usdt(preview.notional)],
    ['Margin', `${usdt(preview.margin)} at ${preview.leverage}x`],
  ];
}

const warningTexts: Record<PositionPreview['warnings'][number], string> = {
  stop_within_guard: `The stop is closer than ${formatAmount(CLOSE_GUARDS.moveFraction * 100)} %: a position closes automatically only after a move of that size.`,
  leverage_capped: 'Leverage capped by the exchange for this symbol.',
  funding_soon: 'Funding is due within 15 minutes.',
  loss_above_risk: 'The stop would lose more than your risk per trade.',
  margin_reduced: 'Smaller than your settings: not enough free equity for margin.',
  order_limited: 'Smaller than your settings: the largest market order of the exchange.',
};

interface Props {
  signal: ScanSignal;
  scan: Scan;
  isOpen: boolean;
  onDone: () => void;
}

/** Stays mounted while closed: otherwise it would not restore the page behind it. */
export function OpenDialog({ isOpen, ...props }: Props) {
  const { direction, symbol } = props.signal;
  return (
    <Dialog
      isOpen={isOpen}
      title={`Open ${direction} ${symbol}`}
      text="Simulated money: the server fills at its last price and watches stop, target and liquidation."
      onClose={props.onDone}
    >
      {isOpen && <OpenForm {...props} />}
    </Dialog>
  );
}

/** Risk, cost and possible gain of a position from this signal, before it is opened by hand. */
function OpenForm({ signal: { symbol, interval }, scan, onDone }: Omit<Props, 'isOpen'>) {
  const body: OpenPositionBody = { symbol, interval: interval as OpenPositionBody['interval'], scan_id: scan.scan_id };
  const preview = usePreview(body);
  const opening = useOpenPosition();
  // A repeated press is the same opening.
  const [key] = useState(() => crypto.randomUUID());
  const open = () =>
    opening.mutate(
      { body, key },
      {
        onSuccess: ({ message }) => {
          toast(message, 'success');
          onDone();
        },
      },
    );
  return (
    <>
      <Loaded response={preview} failure="Could not compute the preview." rows={8}>
        {(shown) => <PreviewFigures preview={shown} />}
      </Loaded>
      {opening.error !== null && (
        <ErrorState failure={opening.error} text={messageOf(opening.error, 'Could not open the position.')} />
      )}
      <div className="flex justify-end gap-2">
        <button type="button" className="btn" onClick={onDone}>
          Cancel
        </button>
        <button
          type="button"
          className="btn btn-primary"
          disabled={preview.data?.would_open !== true || opening.isPending}
          onClick={open}
        >
          Open position
        </button>
      </div>
    </>
  );
}

function PreviewFigures({ preview }: { preview: PositionPreview }) {
  const decimals = useTickDecimals()(preview.symbol);
  return (
    <>
      {!preview.would_open && (
        <Notice tone="warn">
          {preview.message} <SlotsLink reason={preview.detail} />
        </Notice>
      )}
      <dl className="text-label">
        {previewRows(preview, decimals).map(([name, value]) => (
          <div key={name} className="flex justify-between gap-3 border-b border-line py-1">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      {preview.warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          {warningTexts[warning]}
        </Notice>
      ))}
    </>
  );
}
