import { USD_PER_CREDIT } from '@sextant/workers/src/core/creditPrices.ts';
import { useSyncExternalStore } from 'react';
import { isUnreachable } from '../../api/failure.ts';
import type { Payment } from '../../api/types.ts';
import { formatCount } from '../../format/number.ts';
import { methodText } from '../../format/paymentNames.ts';
import { openPage } from '../../state/navigation.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { countdownText, useSecondsLeft } from './fundsState.ts';

function onChange(report: () => void): () => void {
  window.addEventListener('online', report);
  window.addEventListener('offline', report);
  return () => {
    window.removeEventListener('online', report);
    window.removeEventListener('offline', report);
  };
}

/** Warns that the shown data may be old. @param failure of the newest request */
export function OfflineLine({ failure }: { failure: Error | null }) {
  const isOnline = useSyncExternalStore(onChange, () => navigator.onLine);
  if (isOnline && !isUnreachable(failure)) return null;
  return (
    <div role="status">
      <Notice tone="warn">
        Offline: showing the last known status. Coins you sent are still credited. The page resumes once you reconnect.
      </Notice>
    </div>
  );
}

/** The note of an open payment, e.g. money of unknown value; renders nothing without one. */
export function PaymentNote({ payment }: { payment: Pick<Payment, 'note' | 'order_id'> | undefined }) {
  if (payment === undefined || payment.note === null) return null;
  return (
    <Notice tone="warn">
      {payment.note} Order id: <code className="break-all">{payment.order_id}</code>
    </Notice>
  );
}

const terms: readonly [string, string][] = [
  ['Network', 'Send on the named network only. Coins sent on another network are lost for good.'],
  ['Too little', 'A smaller amount is credited by its share, down to whole credits. You need not pay the rest.'],
  ['Too much', 'A larger amount is credited in full, down to whole credits.'],
  ['Too late', 'Late coins are still credited, also after you closed the payment. Send only once to each address.'],
  [
    'Credits',
    `${USD_PER_CREDIT} USD buys 1 credit. Credits never expire. They pay for scans and other charged work and are not trading capital.`,
  ],
];

/** Explains the cases that worry users, before they pay. */
export function PaymentTerms() {
  return (
    <Panel title="Before you pay">
      <dl className="flex flex-col gap-2">
        {terms.map(([name, text]) => (
          <div key={name}>
            <dt className="font-medium">{name}</dt>
            <dd className="text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** The payment that is still open, with the time it has left and the way to it. */
export function OpenPaymentNotice({ payment }: { payment: Payment }) {
  const left = useSecondsLeft(payment);
  return (
    <Notice
      tone="warn"
      action={
        <button type="button" className="btn btn-small" onClick={() => openPage('funds', 'details')}>
          Show payment
        </button>
      }
    >
      Open payment: {formatCount(payment.tokens)} credits by {methodText(payment)}
      {left !== null && left > 0 && (
        <>
          , <span className="tabular">{countdownText(left)}</span> left
        </>
      )}
      .
    </Notice>
  );
}
