import { useApiSubscription } from '../../api/apiAccess.ts';
import { formatCount } from '../../format/number.ts';
import { plansOf } from '../../ui/apiAccess/planNames.ts';
import { Panel } from '../../ui/Panel.tsx';

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
