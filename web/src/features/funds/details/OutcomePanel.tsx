import { useCredits } from '../../../api/credits.ts';
import type { Payment } from '../../../api/types.ts';
import { formatCount, formatMany } from '../../../format/number.ts';
import { isPaid, methodText } from '../../../format/paymentNames.ts';
import { openPage, openTab } from '../../../state/navigation.ts';
import { ToneIcon } from '../../../ui/Notice.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { fundsState } from '../fundsState.ts';

/** What came of the payment, and what can be done next. The invoice itself is gone. */
export function OutcomePanel({ payment }: { payment: Payment }) {
  const credits = useCredits();
  const { title, text, tone } = outcomeText(payment);
  const isCredited = isPaid(payment.status);
  const buyMore = () => {
    fundsState.watchedId = null;
    openPage('funds', 'purchase');
  };
  return (
    <Panel title="Payment details" aside={methodText(payment)}>
      <div className="flex flex-col items-center gap-3 px-2 py-6 text-center">
        <p className="flex items-center gap-2 text-page font-semibold">
          <ToneIcon tone={tone} />
          {title}
        </p>
        <p className="max-w-120 text-muted">{text}</p>
        {isCredited && credits.data !== undefined && (
          <p>
            Your balance: <strong className="tabular">{formatMany(credits.data.balance, 'credit')}</strong>
          </p>
        )}
        <div className="flex flex-wrap justify-center gap-2">
          {isCredited && (
            <button type="button" className="btn btn-primary" onClick={() => openTab('signals', 'scanner')}>
              Go to the scanner
            </button>
          )}
          <button type="button" className={isCredited ? 'btn' : 'btn btn-primary'} onClick={buyMore}>
            {isCredited ? 'Buy more credits' : 'Start a new payment'}
          </button>
          <button type="button" className="btn" onClick={() => openTab('payments', 'history')}>
            Payment history
          </button>
        </div>
      </div>
    </Panel>
  );
}

interface OutcomeText {
  title: string;
  text: string;
  tone: 'success' | 'error' | 'info';
}

/** Text for a closed payment. */
export function outcomeText(
  payment: Pick<Payment, 'status' | 'credits' | 'tokens' | 'note' | 'credits_refunded'>,
): OutcomeText {
  const { status, credits, tokens, note } = payment;
  const added = `${formatMany(credits, 'credit')} added`;
  switch (status) {
    case 'COMPLETED':
      return credits < tokens
        ? {
            title: added,
            text: note ?? `Less than ${formatCount(tokens)} USD arrived; its whole credits were added.`,
            tone: 'info',
          }
        : { title: added, text: note ?? 'The payment arrived in full.', tone: 'success' };
    case 'EXPIRED':
      return {
        title: 'The time to pay is over',
        text: 'The order was closed. If you have sent the coins already, do nothing: they are credited when they arrive.',
        tone: 'info',
      };
    case 'CANCELLED':
      return {
        title: 'Payment cancelled',
        text: 'Nothing was charged. Coins you have sent already are credited when they arrive.',
        tone: 'info',
      };
    case 'FAILED':
      return {
        title: 'Payment failed',
        text: note ?? 'The payment provider gave up on this payment. Please try again.',
        tone: 'error',
      };
    case 'REFUNDED':
      return { title: 'Payment refunded', text: note ?? 'The provider returned the money.', tone: 'info' };
    case 'PENDING':
      return { title: 'Payment open', text: 'The payment has not arrived yet.', tone: 'info' };
  }
}
