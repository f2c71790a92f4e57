import type { ScanSignal } from '../../../api/types.ts';
import { formatSigned } from '../../../format/number.ts';
import { voteName } from '../../../format/voteNames.ts';

/** What each vote adds to the score, largest first; they sum to it exactly. */
export function Contributions({ signal }: { signal: ScanSignal }) {
  const parts = signal.contributions
    .filter(({ contribution }) => contribution !== 0)
    .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
  const largest = Math.max(...parts.map(({ contribution }) => Math.abs(contribution)), Number.MIN_VALUE);
  return (
    <section>
      <h3 className="mb-1 font-semibold">Score breakdown</h3>
      <ul aria-label="Contributions" className="text-label">
        {parts.map(({ vote, interval, contribution }) => (
          <li key={`${vote} ${interval}`} className="grid h-6 grid-cols-[150px_1fr_60px] items-center gap-2">
            <span className="truncate">
              {voteName(vote)} <span className="text-muted">{interval}</span>
            </span>
            <span aria-hidden="true" className="relative h-2 bg-row-hover">
              <span
                className={`absolute inset-y-0 ${contribution > 0 ? 'left-1/2 bg-up' : 'right-1/2 bg-down'}`}
                style={{ width: `${(Math.abs(contribution) / largest) * 50}%` }}
              />
              <span className="absolute inset-y-0 left-1/2 w-px bg-muted" />
            </span>
            <span className="text-right font-mono">{formatSigned(contribution, 3)}</span>
          </li>
        ))}
        <li className="mt-1 flex justify-between border-t border-line pt-1 font-medium">
          <span>Score, -1 to 1</span>
          <span className="font-mono">{formatSigned(signal.score, 3)}</span>
        </li>
      </ul>
    </section>
  );
}
