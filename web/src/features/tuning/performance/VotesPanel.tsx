import type { Performance } from '../../../api/types.ts';
import { formatCount, formatPercent } from '../../../format/number.ts';
import { voteName } from '../../../format/voteNames.ts';
import { Panel } from '../../../ui/Panel.tsx';

/** How often each vote was right, on resolved signals. */
export function VotesPanel({ votes }: { votes: Performance['votes'] }) {
  return (
    <Panel title="Hit rate of each vote" aside="resolved signals" bodyClassName="">
      {votes.length === 0 ? (
        <p className="p-3 text-muted">No vote of a resolved signal is stored yet.</p>
      ) : (
        <div className="overflow-x-auto" tabIndex={0} role="group" aria-label="Hit rate of each vote">
          <table className="table">
            <thead>
              <tr>
                <th className="lead" scope="col">
                  Vote
                </th>
                <th scope="col">n</th>
                <th scope="col">Right</th>
                <th scope="col">95 %</th>
              </tr>
            </thead>
            <tbody>
              {votes.map(({ vote, count, hit_rate: rate, hit_rate_interval: interval }) => (
                <tr key={vote}>
                  <th className="lead" scope="row">
                    {voteName(vote)}
                  </th>
                  <td>{formatCount(count)}</td>
                  <td className={rate === null ? 'text-muted' : ''}>
                    {rate === null ? 'Not enough data' : formatPercent(rate)}
                  </td>
                  <td className="text-muted">
                    {rate === null || interval === null
                      ? ''
                      : `${formatPercent(interval.low)} to ${formatPercent(interval.high)}`}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}
