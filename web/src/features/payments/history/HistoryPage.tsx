import { useState } from 'react';
import { PAYMENTS_HISTORY, usePayments } from '../../../api/payments.ts';
import type { Payment } from '../../../api/types.ts';
import { formatFixed, formatSigned, NO_VALUE } from '../../../format/number.ts';
import { methodText, statusTone, statusToneClass } from '../../../format/paymentNames.ts';
import { openTab } from '../../../state/navigation.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { EmptyState, Panel } from '../../../ui/Panel.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { Time } from '../../../ui/Time.tsx';
import { PaymentDetail } from './PaymentDetail.tsx';

/** The last fifty payments, newest first, and everything that happened to the chosen one. */
export function HistoryPage() {
  const payments = usePayments(PAYMENTS_HISTORY);
  const [chosenId, setChosenId] = useState<string | null>(null);
  return (
    <div className="flex flex-col gap-4">
      <Panel title="Payments" aside={`the last ${PAYMENTS_HISTORY}, newest first`} bodyClassName="">
        <Loaded answer={payments} failure="The payments could not be read." rows={6}>
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
export function Status({ word }: { word: string }) {
  const tone = statusTone(word);
  return (
    <span data-tone={tone} className={`font-semibold ${statusToneClass[tone]}`}>
      {word.toUpperCase()}
    </span>
  );
}
