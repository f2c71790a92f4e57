import type { Credits } from '../../../api/types.ts';
import { formatSigned } from '../../../format/number.ts';
import { EmptyState } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';

const states = { grant: 'Added', hold: 'Set aside', capture: 'Spent', release: 'Given back' } as const;

/** `welcome` and `news_analysis` as people read them. */
const wordsOf = (reason: string): string => {
  const words = reason.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export function LedgerTable({ entries }: { entries: Credits['entries'] }) {
  if (entries.length === 0) return <EmptyState text="No entry yet. Welcome credits come once to each mailbox." />;
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="lead">Time</th>
          <th className="lead">Reason</th>
          <th className="lead">State</th>
          <th>Credits</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td className="lead">
              <Time at={entry.at} />
            </td>
            <td className="lead">{wordsOf(entry.reason)}</td>
            <td className="lead">{states[entry.kind]}</td>
            <td>{formatSigned(entry.credits, 0)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
