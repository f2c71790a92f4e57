import { type LucideIcon, Pause, Play } from 'lucide-react';
import { useId } from 'react';
import { useRotation } from './useRotation.ts';

export interface Card {
  icon: LucideIcon;
  title: string;
  text: string;
}

interface Props {
  title: string;
  cards: readonly Card[];
  everyMs: number;
  /** Numbered cards are steps, in order. */
  isOrdered?: boolean;
  /** Utility classes of the grid. */
  columns: string;
}

/**
 * Cards that are all there to read; the highlight that goes round them is for the eye alone, so no screen reader is told.
 */
export function RotatingCards({ title, cards, everyMs, isOrdered = false, columns }: Props) {
  const { index, isStopped, toggle, setPointed, setFocused } = useRotation(cards.length, everyMs);
  const headingId = useId();
  const List = isOrdered ? 'ol' : 'ul';
  const Icon = isStopped ? Play : Pause;
  return (
    <section aria-labelledby={headingId} onFocus={() => setFocused(true)} onBlur={() => setFocused(false)}>
      <div className="flex min-h-8 items-center justify-between gap-4">
        <h2 id={headingId} className="text-page font-semibold">
          {title}
        </h2>
        <span className="shrink-0 motion-reduce:hidden">
          <button type="button" className="btn btn-ghost btn-small" onClick={toggle}>
            <Icon size={14} aria-hidden="true" /> {isStopped ? 'Resume' : 'Pause'}
            <span className="sr-only"> the moving highlight</span>
          </button>
        </span>
      </div>
      <List
        data-testid="rotation"
        className={`mt-4 grid gap-3 ${columns}`}
        onPointerEnter={() => setPointed(true)}
        onPointerLeave={() => setPointed(false)}
      >
        {cards.map(({ icon: CardIcon, title: cardTitle, text }, at) => (
          <li key={cardTitle} data-active={index === at} className="highlight-card flex flex-col gap-2 panel p-4">
            <span className="flex items-center gap-3">
              <CardIcon size={18} aria-hidden="true" className="shrink-0 text-accent" />
              {isOrdered && <span className="font-mono text-label text-muted">{at + 1}</span>}
            </span>
            <h3 className="text-section font-semibold">{cardTitle}</h3>
            <p className="text-muted">{text}</p>
          </li>
        ))}
      </List>
    </section>
  );
}
