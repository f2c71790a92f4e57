import { useApiSubscription } from '../../api/apiAccess.ts';
import { serverClock } from '../../api/serverClock.ts';
import { formatCount } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { useNow } from '../Age.tsx';
import { hourlyLimitOf } from './planNames.ts';

/** The plan and what is used of its hour: the figure that decides whether the next call goes through. */
export function PlanLine() {
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
        aria-label={`${formatCount(used)} of ${formatCount(limit)} calls of this hour are used`}
      />
      <p className="text-label text-muted tabular-nums">
        {share >= 1 ? 'Calls are refused with 429 for ' : 'A new hour begins in '}
        {formatDuration(leftMs)}
      </p>
    </div>
  );
}
