import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { showReceipt, useReceipts } from '../../api/alerts.ts';
import { messageOf } from '../../api/failure.ts';
import type { AlertReceipt } from '../../api/types.ts';
import { formatDuration } from '../../format/time.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState, Loaded } from '../../ui/Panel.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Time } from '../../ui/Time.tsx';
import { channelNames } from './ChannelFields.tsx';
import { recomputeReceipt } from './recomputeReceipt.ts';

/** What fired an alert, and where it was delivered. */
export function ReceiptsDialog({ alertId, onClose }: { alertId: string | null; onClose: () => void }) {
  const response = useReceipts(alertId);
  return (
    <Dialog title="Receipts" isOpen={alertId !== null} onClose={onClose}>
      {alertId !== null && (
        <Loaded response={response} failure="Could not load receipts." rows={3}>
          {(receipts) =>
            receipts.length === 0 ? (
              <EmptyState text="This alert has not fired yet." />
            ) : (
              <ul className="flex flex-col gap-4">
                {receipts.map((receipt) => (
                  <Receipt key={receipt.id} receipt={receipt} />
                ))}
              </ul>
            )
          }
        </Loaded>
      )}
      <button type="button" className="btn self-end" onClick={onClose}>
        Close
      </button>
    </Dialog>
  );
}

function evidenceText({ value_text: value, evidence: { before, observation, basis } }: AlertReceipt): string {
  if (basis?.kind === 'story') return `${basis.title} (${basis.source})`;
  if (observation.source === 'candle') {
    const { high, low, close } = observation;
    return `Minute candle: high ${high}, low ${low}, close ${close}`;
  }
  const from = before === null ? '' : ` after ${Number(before.value.toPrecision(12))}`;
  if (basis?.kind === 'change') return `${basis.price}, ${value} from ${basis.from.value}`;
  if (basis?.kind === 'candles') return `${value ?? 'Holds'} on ${basis.count} closed ${basis.interval} candles`;
  if (basis?.kind === 'prices') return `${value}: buy at ${basis.buy_price}, sell at ${basis.sell_price}`;
  if (basis?.kind === 'position') return `${value}: mark ${basis.price}, liquidation ${basis.liquidation_price}`;
  return value === null ? 'A new signal' : `${value}${from}`;
}

function deliveryText({ state, failure }: AlertReceipt['deliveries'][number], channel: string): string {
  if (state === 'failed') return `${channel}: failed. ${failure ?? ''}`;
  if (state === 'waiting') return `${channel}: ${failure === null ? 'on its way' : `retried. ${failure}`}`;
  return `${channel}: delivered`;
}

function Receipt({ receipt }: { receipt: AlertReceipt }) {
  const { id, alert_id: alertId, exchange_at: exchangeAt, detected_at: detectedAt, shown_at: shownAt } = receipt;
  const again = useMutation({ mutationFn: recomputeReceipt });
  // Reading it here is the delivery to the page of a firing that no open page showed.
  useEffect(() => {
    if (shownAt === null) void showReceipt(alertId, id).catch(() => undefined);
  }, [alertId, id, shownAt]);
  const delayMs = Math.max(0, Date.parse(detectedAt) - Date.parse(exchangeAt));
  return (
    <li className="flex flex-col gap-1 border-t border-line pt-3 first:border-0 first:pt-0">
      <p className="break-words font-medium">{evidenceText(receipt)}</p>
      <p className="text-label text-muted">
        <Time at={exchangeAt} hasSeconds /> at the exchange, detected {formatDuration(delayMs)} later
        {receipt.is_late && ' (late: judged from the candles of a downtime)'}.
      </p>
      <ul className="text-label">
        {receipt.deliveries.map((delivery, nth) => (
          <li key={nth}>
            {deliveryText(delivery, channelNames[delivery.channel])}
            {delivery.at !== null && (
              <>
                {' '}
                <Time at={delivery.at} hasSeconds />
              </>
            )}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-3">
        <button
          type="button"
          className="btn btn-small"
          disabled={again.isPending}
          onClick={() => again.mutate(receipt)}
        >
          Recompute here
        </button>
      </div>
      {again.data !== undefined && <Notice tone={again.data.isSame ? 'info' : 'error'}>{again.data.text}</Notice>}
      {again.error !== null && (
        <Notice tone="error">{messageOf(again.error, 'Could not load the candles. Try again.')}</Notice>
      )}
    </li>
  );
}
