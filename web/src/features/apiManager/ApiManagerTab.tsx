import { type ApiPlanName, PLAN_DAYS, PLAN_NOTICE_TEXT } from '@sextant/workers/src/core/apiAccess.ts';
import { BookOpen, Check } from 'lucide-react';
import { useState } from 'react';
import { useSnapshot } from 'valtio';
import { hourlyLimitOf, plansOf, useApiSubscription, useChangePlan } from '../../data/apiAccess.ts';
import { useCredits } from '../../api/credits.ts';
import { ApiFailure, messageOf } from '../../api/failure.ts';
import { serverClock } from '../../api/serverClock.ts';
import type { ApiSubscription } from '../../api/types.ts';
import { capitalized } from '../../format/names.ts';
import { formatCount } from '../../format/number.ts';
import { formatDuration, formatMoment } from '../../format/time.ts';
import { keyInHand } from '../../state/keyInHand.ts';
import { openPage, openTab } from '../../state/navigation.ts';
import { type PageId, tabPages, useOpenPage } from '../../state/tabPages.ts';
import { toast } from '../../state/toasts.ts';
import { NewKeyPanel } from '../shared/apiAccess/NewKeyPanel.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PagedTab } from '../../ui/PagedTab.tsx';
import { Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { Time, useNow } from '../../ui/Time.tsx';
import { KeysPanel } from './keys/KeysPanel.tsx';
import { UsagePage } from './usage/UsagePage.tsx';
import { WebhooksPage } from './webhooks/WebhooksPage.tsx';

const TAB = 'api-manager';

const views: Record<PageId<typeof TAB>, () => React.ReactNode> = {
  current: CurrentPage,
  plans: PlansPage,
  usage: UsagePage,
  webhooks: WebhooksPage,
};

/** Keys, plans, usage and webhooks of the API. */
export function ApiManagerTab() {
  const page = useOpenPage(TAB);
  const View = views[page];
  return (
    <PagedTab tab={TAB} title="API Manager" pages={tabPages[TAB]} page={page} layout="reading">
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <PlanLine />
          <div className="flex flex-wrap gap-2">
            <button type="button" className="btn" onClick={() => openTab('funds', 'purchase')}>
              Add Credits
            </button>
            <button type="button" className="btn" onClick={() => openTab('api-docs', 'overview')}>
              <BookOpen size={14} aria-hidden="true" /> API Documentation
            </button>
          </div>
        </div>
        <View />
      </div>
    </PagedTab>
  );
}

/** The plan with the calls used in the current hour. */
function PlanLine() {
  const { data } = useApiSubscription();
  useNow(1000);
  if (data === undefined) return <div className="h-10" />;
  const { plan, window_count: used, reset_at: resetAt } = data.current;
  const limit = hourlyLimitOf(data.current);
  const share = limit === 0 ? 0 : Math.min(1, used / limit);
  const leftMs = Math.max(0, Date.parse(resetAt) - serverClock.now());
  return (
    <div className="w-70 max-w-full">
      <p className="flex items-baseline justify-between gap-3">
        <span>
          <strong>{formatCount(used)}</strong> of {formatCount(limit)} calls this hour
        </span>
        <span className="text-label text-muted">{plan} plan</span>
      </p>
      <progress
        className="progress my-1 block"
        value={share}
        max={1}
        aria-label={`${formatCount(used)} of ${formatCount(limit)} calls used this hour`}
      />
      <p className="text-label text-muted tabular-nums">
        {share >= 1 ? 'Calls get 429 for ' : 'The next hour starts in '}
        {formatDuration(leftMs)}
      </p>
    </div>
  );
}

/** Keys first: they are the main use of this page. */
function CurrentPage() {
  const { key } = useSnapshot(keyInHand);
  return (
    <>
      {key !== null && <NewKeyPanel apiKey={key} />}
      <KeysPanel />
      <CurrentPlanPanel />
    </>
  );
}

function CurrentPlanPanel() {
  const { data } = useApiSubscription();
  if (data === undefined) return null;
  const { plan, started_at: startedAt, expires_at: expiresAt } = data.current;
  return (
    <Panel
      title="Current subscription"
      aside={
        <button type="button" className="btn btn-small" onClick={() => openPage('api-manager', 'plans')}>
          {expiresAt === null ? 'See plans' : 'Change plan'}
        </button>
      }
    >
      <dl className="flex flex-wrap gap-x-8 gap-y-3">
        <Item name="Plan">{plan}</Item>
        <Item name="Calls an hour">{formatCount(hourlyLimitOf(data.current))}</Item>
        {startedAt !== null && (
          <Item name="Bought">
            <Time at={startedAt} />
          </Item>
        )}
        <Item name="Runs until">{expiresAt === null ? 'No end' : <Time at={expiresAt} />}</Item>
      </dl>
      {expiresAt !== null && (
        <p className="mt-3 text-label text-muted">
          A plan runs for {PLAN_DAYS} days without renewal. Your keys then use the FREE plan.
        </p>
      )}
    </Panel>
  );
}

function Item({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-label text-muted">{name}</dt>
      <dd className="text-section font-semibold">{children}</dd>
    </div>
  );
}

type Plan = ApiSubscription['plans'][number];

/** The four plans side by side. A running plan is locked until its end, except for a change to FREE. */
function PlansPage() {
  const subscription = useApiSubscription();
  const [wanted, setWanted] = useState<Plan | null>(null);
  if (subscription.isPending) return <SkeletonRows rows={6} />;
  const plans = plansOf(subscription.data);
  const current = subscription.data?.current;
  const endsAt = current?.expires_at ?? null;
  const paid = subscription.data?.paid ?? [];
  return (
    <>
      {endsAt !== null && (
        <Notice tone="info">
          {current?.plan} runs until <Time at={endsAt} />. Until then you can only switch to FREE.
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
        Pay with credits now. A plan runs for {PLAN_DAYS} days without renewal. {capitalized(PLAN_NOTICE_TEXT)} before
        the end we email you. The limit covers all your keys per full hour.
      </p>
      {wanted !== null && <PlanDialog plan={wanted} endsAt={endsAt} paid={paid} onClose={() => setWanted(null)} />}
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

/** The server's message, except that missing credits have the same text everywhere. */
const failureWords = (failure: unknown): string =>
  failure instanceof ApiFailure && failure.code === 'insufficient_credits'
    ? 'Insufficient credits. Please add funds and try again.'
    : messageOf(failure, 'Could not change the plan. Try again.');

interface PlanDialogProps {
  plan: Plan;
  endsAt: string | null;
  /** Plans that are paid and can be changed back to. */
  paid: ApiSubscription['paid'];
  onClose: () => void;
}

const dayOf = (at: string | null): string => formatMoment(at, 'local')[0];

/** Cost and term of a plan change, before it is made. */
function dialogText({ plan, endsAt, paid }: Omit<PlanDialogProps, 'onClose'>, credits: number | undefined): string {
  const { plan: name, price_credits_month: price, hourly_limit: limit } = plan;
  const calls = `${formatCount(limit)} calls an hour`;
  if (name === 'FREE') return `Takes effect now: ${calls}. No refund. Change back free until ${dayOf(endsAt)}.`;
  const own = paid.find((each) => each.plan === name);
  if (own !== undefined) return `Already paid until ${dayOf(own.expires_at)}: ${calls} at no further cost.`;
  const [other] = paid;
  const beside = other === undefined ? '' : ` ${other.plan} stays paid until ${dayOf(other.expires_at)}.`;
  return (
    `${formatCount(price)} credits now for ${PLAN_DAYS} days with ${calls}. You have ${formatCount(credits)} credits. ` +
    `Until the plan expires you can only switch to FREE, without a refund.${beside}`
  );
}

function PlanDialog({ plan, endsAt, paid, onClose }: PlanDialogProps) {
  const { plan: name, price_credits_month: price } = plan;
  const isPaid = paid.some((each) => each.plan === name);
  const credits = useCredits();
  const change = useChangePlan();
  // One key per dialog: pressing the same button again is the same purchase.
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
      title={name === 'FREE' || isPaid ? `Change to ${name}?` : `Buy ${name}?`}
      text={dialogText({ plan, endsAt, paid }, credits.data?.credits)}
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
            : name === 'FREE' || isPaid
              ? `Change to ${name}`
              : `Pay ${formatCount(price)} credits`}
        </button>
      </div>
    </Dialog>
  );
}
