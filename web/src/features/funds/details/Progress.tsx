import { Check, CircleDashed, Loader } from 'lucide-react';
import { useEffect } from 'react';
import { usePayment } from '../../../api/payments.ts';
import type { Payment, PaymentEvent } from '../../../api/types.ts';
import { coinText } from '../../../format/paymentNames.ts';

export type Step = 'waiting' | 'confirming' | 'credited';

/** How far the transfer is, from what was recorded of it. */
export function stepOf(events: readonly Pick<PaymentEvent, 'kind'>[]): Step {
  const has = (...kinds: PaymentEvent['kind'][]) => events.some(({ kind }) => kinds.includes(kind));
  if (has('credited', 'late', 'partial', 'child')) return 'credited';
  return has('confirming') ? 'confirming' : 'waiting';
}

const order: readonly Step[] = ['waiting', 'confirming', 'credited'];

export function Progress({ payment }: { payment: Payment }) {
  const detail = usePayment(payment.id);
  const { refetch } = detail;
  // The status is polled; when it has moved on, so have the events.
  useEffect(() => void refetch(), [payment.updated_at, refetch]);
  const current = order.indexOf(stepOf(detail.data?.events ?? []));
  const names: Record<Step, string> = {
    waiting: `Waiting for ${coinText(payment)}`,
    confirming: 'Transfer seen, being confirmed by the network',
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
