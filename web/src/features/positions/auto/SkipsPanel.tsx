import { useSkips } from '../../../api/positions.ts';
import type { Skip } from '../../../api/types.ts';
import { formatPercent, NO_VALUE } from '../../../format/number.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { EmptyState, Panel } from '../../../ui/Panel.tsx';
import { type Column, TableHead } from '../../../ui/TableHead.tsx';
import { Time } from '../../../ui/Time.tsx';
import { SideMark } from '../table/SideMark.tsx';

const columns: readonly Column[] = [
  { name: 'At', isText: true },
  { name: 'Symbol', isText: true },
  { name: 'Side', isText: true, isWideOnly: true },
  { name: 'Confidence', isWideOnly: true },
  { name: 'Reason', isText: true },
];

/** What came as far as the opening and was not opened, newest first, each with its reason. */
export function SkipsPanel() {
  const answer = useSkips();
  return (
    <Panel
      title="Skipped when opening"
      aside={answer.data !== undefined && answer.data.length > 0 && `newest ${answer.data.length}`}
      bodyClassName=""
    >
      <Loaded answer={answer} failure="The skips could not be read." rows={4}>
        {(skips) =>
          skips.length === 0 ? (
            <EmptyState text="No signal was skipped. A signal is skipped when a guard, a limit or the price at its opening speaks against it." />
          ) : (
            <SkipTable skips={skips} />
          )
        }
      </Loaded>
    </Panel>
  );
}

function SkipTable({ skips }: { skips: readonly Skip[] }) {
  return (
    <div className="max-h-96 overflow-auto" tabIndex={0} role="region" aria-label="Skipped signals">
      <table className="table" aria-label="Skipped">
        <TableHead columns={columns} />
        <tbody>
          {skips.map((skip) => (
            <tr key={skip.id}>
              <td className="lead text-muted">
                <Time at={skip.at} />
              </td>
              <th className="lead" scope="row">
                {skip.symbol} <span className="font-normal text-muted">{skip.interval}</span>
              </th>
              <td className="lead max-md:hidden">{skip.side === null ? NO_VALUE : <SideMark side={skip.side} />}</td>
              <td className="max-md:hidden">{formatPercent(skip.confidence)}</td>
              <td className="lead wraps">{skip.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
