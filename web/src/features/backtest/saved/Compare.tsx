import type { SavedRun } from '../../../api/types.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { ScrollSideways } from '../../../ui/ScrollSideways.tsx';
import { cautions, compareRows, type CompareRow } from './compare.ts';

/** Two kept runs side by side. What differs is marked, and so is what makes them hard to compare. */
export function Compare({ left, right }: { left: SavedRun; right: SavedRun }) {
  const { figures, settings } = compareRows(left, right);
  const found = cautions(left, right);
  return (
    <section aria-label="Comparison" className="relative flex flex-col gap-3 border-t border-line p-3">
      {found.length > 0 && (
        <Notice tone="warn">
          {found.map((caution) => (
            <p key={caution}>{caution}</p>
          ))}
        </Notice>
      )}
      <Equities runs={[left, right]} />
      <ScrollSideways label="Figures side by side">
        <table className="table w-full">
          <thead>
            <tr>
              <th scope="col" className="lead">
                <span className="sr-only">Figure</span>
              </th>
              <th scope="col" className="wraps">
                {left.name}
              </th>
              <th scope="col" className="wraps">
                {right.name}
              </th>
            </tr>
          </thead>
          <tbody>
            {figures.map((row) => (
              <Row key={row.name} row={row} />
            ))}
          </tbody>
          <tbody className="border-t-2 border-line">
            {settings.map((row) => (
              <Row key={row.name} row={row} />
            ))}
          </tbody>
        </table>
      </ScrollSideways>
    </section>
  );
}

function Row({ row: { name, left, right, isDifferent } }: { row: CompareRow }) {
  const look = `font-mono wraps ${isDifferent ? 'font-semibold' : 'text-muted'}`;
  return (
    <tr>
      <th scope="row" className="lead wraps font-normal text-muted">
        {name}
      </th>
      <td className={look}>{left}</td>
      <td className={look}>{right}</td>
    </tr>
  );
}

const size = { width: 600, height: 96 };

/** Each equity over its own scored window: the first solid, the second dashed. */
function Equities({ runs: [left, right] }: { runs: [SavedRun, SavedRun] }) {
  const gain = ({ equity }: SavedRun) => equity.map((value) => value - (equity[0] ?? 0));
  const [a, b] = [gain(left), gain(right)];
  // Both in one picture, so that they share the scale: the second follows the first.
  const low = Math.min(0, ...a, ...b);
  const high = Math.max(0, ...a, ...b);
  const scaled = (values: number[]): string => {
    const shares = values.map((value) => (value - low) / (high - low || 1));
    const step = size.width / Math.max(1, shares.length - 1);
    return shares
      .map((share, i) => `${(i * step).toFixed(1)},${(size.height - 2 - share * (size.height - 4)).toFixed(1)}`)
      .join(' ');
  };
  return (
    <figure>
      <svg
        viewBox={`0 0 ${size.width} ${size.height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="h-24 w-full"
      >
        <polyline
          points={scaled(a)}
          fill="none"
          stroke="var(--accent)"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
        <polyline
          points={scaled(b)}
          fill="none"
          stroke="var(--text)"
          strokeWidth="1.5"
          strokeDasharray="5 4"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <figcaption className="text-label text-muted">
        Gain in USDT, each over its own scored window: {left.name} solid, {right.name} dashed.
      </figcaption>
    </figure>
  );
}
