import type { SavedRun } from '../../../api/types.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { cautions } from './compare.ts';
import { CompareTable } from './CompareTable.tsx';

/** Two kept runs side by side. What differs is marked, and so is what makes them hard to compare. */
export function Compare({ left, right }: { left: SavedRun; right: SavedRun }) {
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
      <CompareTable {...{ left, right }} />
    </section>
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
