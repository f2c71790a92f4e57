import type { Payment } from '../../api/types.ts';
import { Notice } from '../../ui/Notice.tsx';

/** What was unusual about a payment that is still open, e.g. money whose value is not known. Nothing when all is as expected. */
export function PaymentNote({ payment }: { payment: Pick<Payment, 'note' | 'order_id'> | undefined }) {
  if (payment === undefined || payment.note === null) return null;
  return (
    <Notice tone="warn">
      {payment.note} Order id: <code className="break-all">{payment.order_id}</code>
    </Notice>
  );
}
