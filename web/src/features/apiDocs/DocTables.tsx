import type { ReactNode } from 'react';
import { plansOf, useApiSubscription } from '../../api/apiAccess.ts';
import { formatCount } from '../../format/number.ts';
import { Panel } from '../../ui/Panel.tsx';
import { ScrollSideways } from '../../ui/ScrollSideways.tsx';

/** A table of the documentation: its names, and rows as the caller gives them. */
export function DocTable({
  title,
  columns,
  children,
}: {
  title: string;
  columns: readonly string[];
  children: ReactNode;
}) {
  return (
    <ScrollSideways label={title}>
      <table className="table">
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} className="lead" scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </ScrollSideways>
  );
}

/** A text of the API document: what stands in backticks is code. */
export function InlineCode({ text }: { text: string }) {
  return text.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <code key={at} className="font-mono">
        {part}
      </code>
    ),
  );
}

/** Calls an hour by plan; the current one is marked. */
export function PlanLimits() {
  const { data } = useApiSubscription();
  return (
    <Panel title="Rate limits by plan" bodyClassName="">
      <table className="table">
        <thead>
          <tr>
            <th className="lead" scope="col">
              Plan
            </th>
            <th scope="col">Calls an hour</th>
            <th scope="col">Credits for 30 days</th>
          </tr>
        </thead>
        <tbody>
          {plansOf(data).map(({ plan, hourly_limit: limit, price_credits_month: price }) => (
            <tr key={plan} className={plan === data?.current.plan ? 'bg-accent-soft' : ''}>
              <th className="lead" scope="row">
                {plan}
                {plan === data?.current.plan && ' (yours)'}
              </th>
              <td>{formatCount(limit)}</td>
              <td>{formatCount(price)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
