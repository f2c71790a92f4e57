import { Time } from '../ui/Time.tsx';
import type { ChartMark } from './chartModel.ts';

const SHOWN_MAX = 5;
const tones = { bullish: 'text-up', bearish: 'text-down', neutral: 'text-muted' } as const;

/** The newest stories that are marked on a chart, for those who do not hover over it. Nothing without marks. */
export function NewsLegend({ marks }: { marks: readonly ChartMark[] }) {
  if (marks.length === 0) return null;
  const shown = marks.slice(-SHOWN_MAX).reverse();
  return (
    <section aria-label="News on this chart" className="border-t border-line px-3 py-1.5 text-label">
      <p className="text-muted">
        Diamond: {marks.length === 1 ? 'a story' : `${marks.length} stories`}, each at the candle in which it was first
        seen{marks.length > SHOWN_MAX && `; the newest ${SHOWN_MAX}`}.
      </p>
      <ul>
        {shown.map(({ atMs, title, direction }) => (
          <li key={`${atMs} ${title}`} className="flex gap-2">
            <span className="shrink-0 text-muted">
              <Time at={atMs} />
            </span>
            <span className="min-w-0 truncate" title={title}>
              <span className={tones[direction]}>{direction}</span> {title}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
