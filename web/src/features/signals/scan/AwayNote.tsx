import { useAwayScans } from '../../../api/scan.ts';
import type { AwayScans } from '../../../api/types.ts';
import { Time } from '../../../ui/Time.tsx';

const words: Record<NonNullable<AwayScans['last']>['status'], string> = {
  queued: 'waits for its turn',
  running: 'is running',
  done: 'is done',
  failed: 'failed',
  cancelled: 'was cancelled',
  refused: 'was not started',
};

/** Whether the service scans while nobody is here, when it did last, and why it stopped. Nothing when it never did. */
export function AwayNote({ isOn }: { isOn: boolean }) {
  const away = useAwayScans(true).data;
  const last = away?.last ?? null;
  if (!isOn && last === null) return null;
  const hasStopped = !isOn && last?.status === 'refused';
  return (
    <div className="border-t border-line pt-3 text-label text-muted">
      <p>
        {isOn
          ? 'Keep scanning while I am away is on: every 10 minutes, 1 credit per scan.'
          : hasStopped
            ? `Keep scanning while I am away has stopped: ${last.message ?? 'No credits'}. Switch it on again in Trading Settings.`
            : 'Keep scanning while I am away is off.'}
      </p>
      {last !== null && !hasStopped && (
        <p>
          Its last scan, <Time at={last.at} />, {words[last.status]}
          {last.message === null ? '.' : `: ${last.message}`}
        </p>
      )}
    </div>
  );
}
