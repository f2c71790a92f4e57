import { ExternalLink } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { PAYMENTS_HISTORY, usePayment, usePayments } from '../../../api/payments.ts';
import type { Payment, PaymentEvent } from '../../../api/types.ts';
import { formatCount, formatFixed, formatSigned, NO_VALUE } from '../../../format/number.ts';
import { coinText, methodText, statusTone, statusToneClass } from '../../../format/paymentNames.ts';
import { openTab } from '../../../state/navigation.ts';
import { EmptyState, Loaded, Panel } from '../../../ui/Panel.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { Time } from '../../../ui/Time.tsx';

/** The last fifty payments, newest first, and the history of the selected one. */
export function HistoryPage() {
  const payments = usePayments(PAYMENTS_HISTORY);
  const [chosenId, setChosenId] = useState<string | null>(null);
  return (
    <div className="flex flex-col gap-4">
      <Panel title="Payments" aside={`the last ${PAYMENTS_HISTORY}, newest first`} bodyClassName="">
        <Loaded response={payments} failure="Could not load payments." rows={6}>
          {(all) =>
            all.length === 0 ? (
              <EmptyState text="No payments yet. Purchases appear here with every status change.">
                <button type="button" className="btn btn-primary" onClick={() => openTab('funds', 'purchase')}>
                  Add Credits
                </button>
              </EmptyState>
            ) : (
              <PaymentTable payments={all} chosenId={chosenOf(all, chosenId)?.id} onChoose={setChosenId} />
            )
          }
        </Loaded>
      </Panel>
      <Chosen payment={chosenOf(payments.data ?? [], chosenId)} />
    </div>
  );
}

const chosenOf = (payments: readonly Payment[], id: string | null): Payment | undefined =>
  payments.find((payment) => payment.id === id) ?? payments[0];

function Chosen({ payment }: { payment: Payment | undefined }) {
  return payment === undefined ? null : <PaymentDetail key={payment.id} payment={payment} />;
}

interface TableProps {
  payments: readonly Payment[];
  chosenId: string | undefined;
  onChoose: (id: string) => void;
}

function PaymentTable({ payments, chosenId, onChoose }: TableProps) {
  return (
    <ScrollSideways label="Payments">
      <table className="table">
        <thead>
          <tr>
            <th className="lead" scope="col">
              Time
            </th>
            <th className="lead" scope="col">
              Status
            </th>
            <th scope="col">Amount, USD</th>
            <th scope="col">Credits</th>
            <th className="lead" scope="col">
              Method
            </th>
          </tr>
        </thead>
        <tbody>
          {payments.map((payment) => (
            <tr key={payment.id} className={payment.id === chosenId ? 'bg-accent-soft' : ''}>
              <td className="lead">
                <button
                  type="button"
                  className="-mx-2 btn btn-ghost btn-small"
                  aria-pressed={payment.id === chosenId}
                  onClick={() => onChoose(payment.id)}
                >
                  <span className="sr-only">
                    Details of {methodText(payment)}, {formatFixed(payment.amount_cents / 100, 2)} USD,
                  </span>
                  <Time at={payment.created_at} />
                </button>
              </td>
              <td className="lead">
                <Status word={payment.status} />
              </td>
              <td>{formatFixed(payment.amount_cents / 100, 2)}</td>
              <td>{payment.credits === 0 ? NO_VALUE : formatSigned(payment.credits - payment.credits_refunded, 0)}</td>
              <td className="lead">{methodText(payment)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollSideways>
  );
}

/** In upper case and in its colour; unknown names too. */
function Status({ word }: { word: string }) {
  const tone = statusTone(word);
  return (
    <span data-tone={tone} className={`font-semibold ${statusToneClass[tone]}`}>
      {word.toUpperCase()}
    </span>
  );
}

/** Display name of a payment step. */
const eventText: Readonly<Record<PaymentEvent['kind'], string>> = {
  created: 'Order stored',
  invoiced: 'Payment address received',
  seen: 'Waiting for the transfer',
  confirming: 'Transfer seen, confirming',
  credited: 'Paid in full',
  late: 'Paid after the order closed',
  partial: 'Paid in part',
  child: 'Further transfer received',
  unmatched: 'Transfer received, not credited',
  refunded: 'Refunded by the provider',
  failed: 'Ended by the provider',
  cancelled: 'Cancelled',
  expired: 'Payment time expired',
};

/** Every figure of one payment and its history, step by step. */
function PaymentDetail({ payment }: { payment: Payment }) {
  const detail = usePayment(payment.id);
  return (
    <Panel title="Payment" aside={<Time at={payment.created_at} />}>
      <div className="grid gap-x-8 gap-y-4 lg:grid-cols-2">
        <Facts payment={payment} />
        <section aria-label="Timeline" className="min-w-0">
          <h3 className="mb-2 text-label font-medium text-muted">Timeline</h3>
          <Loaded response={detail} failure="Could not load the steps." rows={4}>
            {({ events }) => (
              <ol className="flex flex-col">
                {events.map((event) => (
                  <Step key={event.id} event={event} />
                ))}
              </ol>
            )}
          </Loaded>
        </section>
      </div>
    </Panel>
  );
}

function Facts({ payment }: { payment: Payment }) {
  const { note, rate_usd: rate, provider_status: word } = payment;
  const facts: [string, ReactNode][] = [
    ['Method', methodText(payment)],
    ['Price', `${formatFixed(payment.amount_cents / 100, 2)} USD for ${formatCount(payment.tokens)} credits`],
    ['Requested', payment.pay_amount === null ? null : coinText(payment)],
    ['Arrived', payment.paid_amount === null ? null : coinText({ ...payment, pay_amount: payment.paid_amount })],
    ['Rate', rate === null ? null : `1 ${payment.method.toUpperCase()} = ${rate} USD`],
    ['Credits added', payment.credits === 0 ? null : formatCount(payment.credits)],
    ['Credits taken back', payment.credits_refunded === 0 ? null : formatCount(payment.credits_refunded)],
    ['Provider says', word === null ? null : word.replaceAll('_', ' ')],
    ['Transaction', <TransactionLink key="link" url={payment.transaction_url} hash={payment.transaction_hash} />],
    [
      'Order',
      <span key="order" className="font-mono text-label break-all">
        {payment.order_id}
      </span>,
    ],
  ];
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        {facts
          .filter(([name, value]) => value !== null && (name !== 'Transaction' || payment.transaction_hash !== null))
          .map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {note !== null && <p className="text-warn">{note}</p>}
      {payment.status === 'PENDING' && payment.method !== 'card' && (
        <button type="button" className="btn self-start" onClick={() => openTab('funds', 'details')}>
          Show the open payment
        </button>
      )}
    </div>
  );
}

/** @param url null where no public explorer supports the network */
function TransactionLink({ url, hash }: { url: string | null; hash: string | null }) {
  if (hash === null) return null;
  const short = hash.length > 20 ? `${hash.slice(0, 10)}…${hash.slice(-8)}` : hash;
  if (url === null) return <span className="font-mono text-label break-all">{hash}</span>;
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className="inline-flex items-center gap-1 font-mono text-label text-accent underline underline-offset-2"
    >
      {short} <ExternalLink size={12} aria-hidden="true" />
      <span className="sr-only">in a public explorer</span>
    </a>
  );
}

function Step({ event }: { event: PaymentEvent }) {
  return (
    <li className="flex gap-3 border-l border-line pb-2 pl-3 last:pb-0">
      <span className="w-32 shrink-0 text-muted">
        <Time at={event.at} />
      </span>
      <span className="min-w-0 flex-1">
        {eventText[event.kind]}
        {event.credits !== 0 && <strong className="ml-1">{formatSigned(event.credits, 0)} credits</strong>}
        {event.note !== null && <span className="block text-muted">{event.note}</span>}
        <span className="block">
          <TransactionLink url={event.transaction_url} hash={event.transaction_hash} />
        </span>
      </span>
    </li>
  );
}
