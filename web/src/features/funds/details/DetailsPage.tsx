import { Check, CircleDashed, Copy, ExternalLink, Loader } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useSnapshot } from 'valtio';
import { useCredits } from '../../../api/credits.ts';
import { PAYMENTS_RECENT, useCancelPayment, usePayment, usePayments, usePaymentStatus } from '../../../api/payments.ts';
import type { Payment, PaymentEvent } from '../../../api/types.ts';
import { formatCount, formatMany } from '../../../format/number.ts';
import { coinText, isPaid, methodText } from '../../../format/paymentNames.ts';
import { openPage, openTab } from '../../../state/navigation.ts';
import { toast } from '../../../state/toasts.ts';
import { Notice, ToneIcon } from '../../../ui/Notice.tsx';
import { EmptyState, Loaded, Panel, SkeletonRows } from '../../../ui/Panel.tsx';
import { QrCode } from '../../../ui/QrCode.tsx';
import { countdownText, FAST_TRIES, fundsState, useSecondsLeft } from '../fundsState.ts';
import { OfflineLine, PaymentNote, PaymentTerms } from '../PaymentNotices.tsx';

/** The open payment: amount, address, time left and progress. Or its outcome. */
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
        <Loaded response={status} failure="Could not load the payment." rows={8}>
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

/** Amount, address and deadline. */
function InvoicePanel({ payment }: { payment: Payment }) {
  return (
    <Panel
      title={`Pay ${formatCount(payment.tokens)} USD for ${formatCount(payment.tokens)} credits`}
      aside={<Countdown payment={payment} />}
    >
      <div className="flex flex-col gap-4">
        {payment.pay_address === null ? (
          <Notice tone="info">Waiting for the payment address. It appears here.</Notice>
        ) : (
          <Invoice payment={payment} address={payment.pay_address} />
        )}
        <PaymentNote payment={payment} />
        <Progress payment={payment} />
        <TryLine />
        <div className="flex flex-wrap gap-2 border-t border-line pt-3">
          {payment.payment_url !== null && (
            <a href={payment.payment_url} target="_blank" rel="noreferrer" className="btn btn-primary">
              Open the payment page <ExternalLink size={14} aria-hidden="true" />
            </a>
          )}
          <CloseButton orderId={payment.order_id} />
        </div>
      </div>
    </Panel>
  );
}

/** Seconds before the end announced to screen readers; a message every second would drown everything else. */
const ANNOUNCED_S = [300, 60];

function Countdown({ payment }: { payment: Payment }) {
  const left = useSecondsLeft(payment) ?? 0;
  const announced = ANNOUNCED_S.find((seconds) => left <= seconds && left > seconds - 5);
  return (
    <>
      <span
        role="timer"
        className={`text-section font-semibold tabular ${left <= 60 ? 'text-down' : left <= 300 ? 'text-warn' : 'text-text'}`}
      >
        {countdownText(left)}
      </span>{' '}
      left
      <span role="status" className="sr-only">
        {announced !== undefined && `${announced / 60} min left to pay`}
      </span>
    </>
  );
}

function Invoice({ payment, address }: { payment: Payment; address: string }) {
  return (
    <>
      <Notice tone="warn">
        Send only <strong>{payment.method.toUpperCase()}</strong> and only on <strong>{payment.network}</strong>. Coins
        sent on another network are lost.
      </Notice>
      <div className="flex items-start gap-4 max-md:flex-col max-md:items-center">
        {payment.payment_uri !== null && (
          <QrCode text={payment.payment_uri} label={`QR code: send ${coinText(payment)} to ${address}`} />
        )}
        <dl className="flex w-full min-w-0 flex-1 flex-col gap-3">
          <CopyRow
            name="Amount"
            value={payment.pay_amount}
            shown={coinText(payment)}
            copiedText="Amount copied to clipboard"
          />
          <CopyRow name="Address" value={address} shown={address} copiedText="Address copied to clipboard" />
          {payment.pay_memo !== null && (
            <CopyRow
              name="Memo, must be sent along"
              value={payment.pay_memo}
              shown={payment.pay_memo}
              copiedText="Memo copied to clipboard"
            />
          )}
          <Row name="Network">{methodText(payment)}</Row>
        </dl>
      </div>
    </>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-label text-muted">{name}</dt>
      <dd className="flex items-center gap-2">{children}</dd>
    </div>
  );
}

function CopyRow({
  name,
  value,
  shown,
  copiedText,
}: {
  name: string;
  value: string | null;
  shown: string;
  copiedText: string;
}) {
  if (value === null) return null;
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => toast(copiedText, 'success'),
      () => toast('Failed to copy', 'error'),
    );
  return (
    <Row name={name}>
      <span className="min-w-0 font-mono text-section break-all select-all">{shown}</span>
      <button
        type="button"
        aria-label={`Copy ${name.toLowerCase().replace(/,.*/, '')}`}
        className="btn btn-small shrink-0"
        onClick={() => void copy()}
      >
        <Copy size={14} aria-hidden="true" /> Copy
      </button>
    </Row>
  );
}

function TryLine() {
  const { tryCount } = useSnapshot(fundsState);
  if (tryCount === null) return null;
  return (
    <p role="status" className="text-muted">
      Processing... (try {tryCount}/{FAST_TRIES})
    </p>
  );
}

/** Cancels the order and navigates back. A failure shows nothing here: the payment is still open, and the purchase page shows it. */
function CloseButton({ orderId }: { orderId: string }) {
  const cancel = useCancelPayment();
  const close = async () => {
    await cancel.mutateAsync({ order_id: orderId, reason: 'cancelled' });
    fundsState.watchedId = null;
    openPage('funds', 'purchase');
  };
  return (
    <button type="button" className="btn" disabled={cancel.isPending} onClick={() => void close()}>
      Cancel payment
    </button>
  );
}

type Step = 'waiting' | 'confirming' | 'credited';

/** Progress of the transfer from its recorded events. */
export function stepOf(events: readonly Pick<PaymentEvent, 'kind'>[]): Step {
  const has = (...kinds: PaymentEvent['kind'][]) => events.some(({ kind }) => kinds.includes(kind));
  if (has('credited', 'late', 'partial', 'child')) return 'credited';
  return has('confirming') ? 'confirming' : 'waiting';
}

const order: readonly Step[] = ['waiting', 'confirming', 'credited'];

function Progress({ payment }: { payment: Payment }) {
  const detail = usePayment(payment.id);
  const { refetch } = detail;
  // The status is polled; when it has moved on, so have the events.
  useEffect(() => void refetch(), [payment.updated_at, refetch]);
  const current = order.indexOf(stepOf(detail.data?.events ?? []));
  const names: Record<Step, string> = {
    waiting: `Waiting for ${coinText(payment)}`,
    confirming: 'Transfer seen. Waiting for network confirmations',
    credited: 'Credits added',
  };
  return (
    <ol aria-label="Progress" className="flex flex-col gap-1.5">
      {order.map((step, at) => {
        const state = at < current ? 'done' : at === current ? 'now' : 'ahead';
        const Icon = { done: Check, now: Loader, ahead: CircleDashed }[state];
        return (
          <li
            key={step}
            aria-current={state === 'now' ? 'step' : undefined}
            className={`flex items-center gap-2 ${state === 'now' ? 'font-medium' : 'text-muted'}`}
          >
            <Icon
              size={16}
              aria-hidden="true"
              className={state === 'done' ? 'text-up' : state === 'now' ? 'text-accent' : ''}
            />
            {names[step]}
            {state === 'done' && <span className="sr-only">, done</span>}
          </li>
        );
      })}
    </ol>
  );
}

/** Outcome of the payment, and next steps. The invoice is no longer shown. */
function OutcomePanel({ payment }: { payment: Payment }) {
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
            text: note ?? `Less than ${formatCount(tokens)} USD arrived. We added its whole credits.`,
            tone: 'info',
          }
        : { title: added, text: note ?? 'The payment arrived in full.', tone: 'success' };
    case 'EXPIRED':
      return {
        title: 'Payment time expired',
        text: 'Order closed. Coins you already sent are credited when they arrive.',
        tone: 'info',
      };
    case 'CANCELLED':
      return {
        title: 'Payment cancelled',
        text: 'No charge. Coins you already sent are credited when they arrive.',
        tone: 'info',
      };
    case 'FAILED':
      return {
        title: 'Payment failed',
        text: note ?? 'The provider ended this payment. Please try again.',
        tone: 'error',
      };
    case 'REFUNDED':
      return { title: 'Payment refunded', text: note ?? 'The provider returned the money.', tone: 'info' };
    case 'PENDING':
      return { title: 'Payment open', text: 'Waiting for the payment.', tone: 'info' };
  }
}
