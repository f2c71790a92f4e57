import { useCredits } from '../../api/credits.ts';
import { messageOf } from '../../api/failure.ts';
import { formatCount, formatSigned } from '../../format/number.ts';
import { Age } from '../../ui/Age.tsx';
import { ErrorState, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { Time } from '../../ui/Time.tsx';

const ENTRIES_SHOWN = 4;
const kinds = { grant: 'Given', hold: 'Set aside', capture: 'Spent', release: 'Given back' } as const;

/** The balance and what moved it last, both from the ledger. */
export function CreditsCard() {
  const credits = useCredits();
  return (
    <Panel
      title="Credits"
      aside={credits.dataUpdatedAt > 0 && <Age sinceMs={credits.dataUpdatedAt} prefix="read" />}
      bodyClassName=""
    >
      {credits.error !== null && (
        <div className="p-3">
          <ErrorState
            text={messageOf(credits.error, 'The credits could not be read.')}
            onRetry={() => void credits.refetch()}
          />
        </div>
      )}
      {credits.isPending && <SkeletonRows rows={3} height={14} />}
      {credits.data !== undefined && (
        <>
          <p className="flex items-baseline gap-2 px-3 py-2">
            <span className="text-figure font-semibold tabular">{formatCount(credits.data.balance)}</span>
            <span className="text-muted">
              to spend{credits.data.held > 0 && `, ${formatCount(credits.data.held)} set aside`}
            </span>
          </p>
          <ul>
            {credits.data.entries.slice(0, ENTRIES_SHOWN).map((entry) => (
              <li key={entry.id} className="flex min-h-8 items-center gap-3 border-t border-line px-3 text-label">
                <span className="flex-1 truncate">
                  {kinds[entry.kind]}: {entry.reason}
                </span>
                <span className="text-muted">
                  <Time at={entry.at} />
                </span>
                <span className="w-12 text-right font-mono">{formatSigned(entry.credits, 0)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}
