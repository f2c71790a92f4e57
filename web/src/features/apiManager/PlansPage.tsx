import { Check } from 'lucide-react';
import { useState } from 'react';
import { type ApiPlanName, PLAN_DAYS } from '@sextant/workers/src/apiAccess.ts';
import { useApiSubscription, useChangePlan } from '../../api/apiAccess.ts';
import { useCredits } from '../../api/credits.ts';
import { ApiFailure, messageOf } from '../../api/failure.ts';
import type { ApiSubscription } from '../../api/types.ts';
import { formatCount } from '../../format/number.ts';
import { formatMoment } from '../../format/time.ts';
import { openTab } from '../../state/navigation.ts';
import { toast } from '../../state/toasts.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { SkeletonRows } from '../../ui/Panel.tsx';
import { Time } from '../../ui/Time.tsx';
import { plansOf } from '../../ui/apiAccess/planNames.ts';

type Plan = ApiSubscription['plans'][number];

/** The four plans side by side. A running one is locked until its end, except to FREE. */
export function PlansPage() {
  const subscription = useApiSubscription();
  const [wanted, setWanted] = useState<Plan | null>(null);
  if (subscription.isPending) return <SkeletonRows rows={6} />;
  const plans = plansOf(subscription.data);
  const current = subscription.data?.current;
  const endsAt = current?.expires_at ?? null;
  return (
    <>
      {endsAt !== null && (
        <Notice tone="info">
          {current?.plan} runs until <Time at={endsAt} />. Until then it can only be changed to FREE.
        </Notice>
      )}
      <ul className="grid grid-cols-4 gap-3 max-lg:grid-cols-2 max-md:grid-cols-1">
        {plans.map((plan) => (
          <PlanCard
            key={plan.plan}
            plan={plan}
            isCurrent={plan.plan === current?.plan}
            isLocked={endsAt !== null && plan.plan !== 'FREE'}
            onChoose={() => setWanted(plan)}
          />
        ))}
      </ul>
      <p className="text-label text-muted">
        A plan is paid with credits at once, runs for {PLAN_DAYS} days and does not renew by itself. Three days before
        the end you get a mail. The limit counts the calls of all your keys in a full hour.
      </p>
      {wanted !== null && <PlanDialog plan={wanted} endsAt={endsAt} onClose={() => setWanted(null)} />}
    </>
  );
}

interface CardProps {
  plan: Plan;
  isCurrent: boolean;
  isLocked: boolean;
  onChoose: () => void;
}

function PlanCard({ plan, isCurrent, isLocked, onChoose }: CardProps) {
  const { plan: name, hourly_limit: limit, price_credits_month: price } = plan;
  return (
    <li aria-label={name} className={`panel gap-3 p-4 ${isCurrent ? 'border-accent' : ''}`}>
      <h2 className="flex items-center justify-between font-semibold">
        {name}
        {isCurrent && (
          <span className="flex items-center gap-1 text-label font-normal text-accent">
            <Check size={14} aria-hidden="true" /> Current
          </span>
        )}
      </h2>
      <p>
        <span className="text-figure font-semibold tabular-nums">{formatCount(limit)}</span>{' '}
        <span className="text-muted">calls an hour</span>
      </p>
      <p className="text-muted">{price === 0 ? 'No cost' : `${formatCount(price)} credits for ${PLAN_DAYS} days`}</p>
      <button
        type="button"
        className={`btn mt-auto ${isCurrent || isLocked || name === 'FREE' ? '' : 'btn-primary'}`}
        disabled={isCurrent || isLocked}
        onClick={onChoose}
      >
        {cardWords({ name, isCurrent, isLocked })}
      </button>
    </li>
  );
}

function cardWords({
  name,
  isCurrent,
  isLocked,
}: {
  name: ApiPlanName;
  isCurrent: boolean;
  isLocked: boolean;
}): string {
  if (isCurrent) return 'Current plan';
  if (isLocked) return 'Locked until the end';
  return name === 'FREE' ? 'Change to FREE' : `Buy ${name}`;
}

/** The server's words as they are, except that missing credits are told the same way everywhere. */
const failureWords = (failure: unknown): string =>
  failure instanceof ApiFailure && failure.code === 'insufficient_credits'
    ? 'Insufficient credits. Please add funds and try again.'
    : messageOf(failure, 'The plan was not changed. Try again.');

function PlanDialog({ plan, endsAt, onClose }: { plan: Plan; endsAt: string | null; onClose: () => void }) {
  const { plan: name, price_credits_month: price, hourly_limit: limit } = plan;
  const credits = useCredits();
  const change = useChangePlan();
  // One key for this dialog: a second press of the same button is the same purchase.
  const [key] = useState(() => crypto.randomUUID());
  const submit = (): void =>
    change.mutate(
      { plan: name, key },
      {
        onSuccess: () => {
          toast(name === 'FREE' ? 'Your plan is FREE now' : `${name} is active`, 'success');
          onClose();
        },
      },
    );
  const failure = change.error === null ? null : failureWords(change.error);
  return (
    <Dialog
      title={name === 'FREE' ? 'Change to FREE?' : `Buy ${name}?`}
      text={
        name === 'FREE'
          ? `It counts at once: ${formatCount(limit)} calls an hour. What is left of the current plan (until ${formatMoment(endsAt, 'local')[0]}) is not refunded.`
          : `${formatCount(price)} credits are taken now for ${PLAN_DAYS} days with ${formatCount(limit)} calls an hour. You have ${formatCount(credits.data?.credits)} credits.`
      }
      isOpen
      onClose={onClose}
    >
      {failure !== null && (
        <Notice
          tone="error"
          action={
            /insufficient/i.test(failure) && (
              <button type="button" className="btn btn-small" onClick={() => openTab('funds', 'purchase')}>
                Add Credits
              </button>
            )
          }
        >
          {failure}
        </Notice>
      )}
      <div className="flex justify-end gap-2">
        <button type="button" className="btn btn-ghost" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="btn btn-primary" disabled={change.isPending} onClick={submit}>
          {change.isPending
            ? 'Processing...'
            : name === 'FREE'
              ? 'Change to FREE'
              : `Pay ${formatCount(price)} credits`}
        </button>
      </div>
    </Dialog>
  );
}
