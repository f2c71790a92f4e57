import { useSnapshot } from 'valtio';
import { PAYMENTS_RECENT, usePaymentStatus, usePayments } from '../../../api/payments.ts';
import { openPage } from '../../../state/navigation.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { EmptyState, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import { fundsState } from '../fundsState.ts';
import { OfflineLine } from '../OfflineLine.tsx';
import { PaymentTerms } from '../PaymentTerms.tsx';
import { InvoicePanel } from './InvoicePanel.tsx';
import { OutcomePanel } from './OutcomePanel.tsx';

/** The open payment: what to send, where, how long, and how far it is. Or what came of it. */
export function DetailsPage() {
  const { watchedId } = useSnapshot(fundsState);
  const recent = usePayments(PAYMENTS_RECENT);
  const status = usePaymentStatus(watchedId, true);
  const payment = status.data;
  return (
    <div className="flex flex-col gap-4">
      <OfflineLine failure={status.error ?? recent.error} />
      {watchedId === null ? (
        <NoPayment isKnown={recent.data !== undefined} />
      ) : (
        <Loaded answer={status} failure="The payment could not be read." rows={8}>
          {() =>
            payment?.status === 'PENDING' ? (
              <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px]">
                <InvoicePanel payment={payment} />
                <PaymentTerms />
              </div>
            ) : (
              payment !== undefined && <OutcomePanel payment={payment} />
            )
          }
        </Loaded>
      )}
    </div>
  );
}

function NoPayment({ isKnown }: { isKnown: boolean }) {
  return (
    <Panel title="Payment details">
      {isKnown ? (
        <EmptyState text="No open payment. Choose an amount and a coin to get a payment address.">
          <button type="button" className="btn btn-primary" onClick={() => openPage('funds', 'purchase')}>
            Purchase credits
          </button>
        </EmptyState>
      ) : (
        <SkeletonRows rows={6} />
      )}
    </Panel>
  );
}
