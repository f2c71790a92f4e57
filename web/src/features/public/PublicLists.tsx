import { type LucideIcon, Pause, Play } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useMedia } from '../../ui/useMedia.ts';

/** A deposit is trading capital on the trader's own exchange, never a payment to this service. */
const facts = [
  [
    'Your funds stay in your own exchange accounts',
    'Sextant holds no trading money and connects to no exchange account. Positions are simulated.',
  ],
  ['No exchange API keys needed', 'Market data is public. Sextant has no field for a key, so none can leak.'],
  ['No withdrawal access needed', 'Sextant has no connection to your money.'],
  [
    'No minimum deposit',
    '1000 USD is recommended: capital on your own exchange, and the balance that new accounts size positions from.',
  ],
] as const;

/** What this product does not require. */
export function Facts() {
  return (
    <section aria-labelledby="facts">
      <h2 id="facts" className="text-page font-semibold">
        Nothing to hand over
      </h2>
      <dl className="mt-4 grid gap-6 md:grid-cols-2 lg:grid-cols-4">
        {facts.map(([title, text]) => (
          <div key={title} className="border-l-2 border-accent pl-4">
            <dt className="text-section font-semibold text-balance">{title}</dt>
            <dd className="mt-1 text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Short points with a line of text each, without the weight of cards. */
export function PointList({
  points,
  columns,
}: {
  points: readonly (readonly [title: string, text: string])[];
  columns: string;
}) {
  return (
    <dl className={`mt-4 grid gap-6 ${columns}`}>
      {points.map(([title, text]) => (
        <div key={title} className="border-l-2 border-line pl-4">
          <dt className="text-section font-semibold">{title}</dt>
          <dd className="mt-1 text-muted">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

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

/** Cards that are always readable; the moving highlight is visual only and not announced to screen readers. */
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

/** How long a highlight stays, milliseconds. */
export const ROTATION_MS = { features: 3000, how: 4000, security: 3500, home: 4000 } as const;

interface Rotation {
  /** The highlighted index; null with reduced motion. */
  index: number | null;
  isStopped: boolean;
  toggle: () => void;
  /** Paused while the pointer or the keyboard focus is on it. */
  setPointed: (isPointed: boolean) => void;
  setFocused: (isFocused: boolean) => void;
}

/**
 * Cycles through `count` indices, `everyMs` each. Pauses under a pointer, with the focus inside and when stopped by hand, and never starts
 * where the system prefers reduced motion.
 */
function useRotation(count: number, everyMs: number): Rotation {
  const [index, setIndex] = useState(0);
  const [isStopped, setIsStopped] = useState(false);
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isStill = useMedia('(prefers-reduced-motion: reduce)');
  const isRunning = !(isStopped || isPointed || isFocused || isStill);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setIndex((at) => (at + 1) % count), everyMs);
    return () => clearInterval(timer);
  }, [isRunning, count, everyMs]);
  const toggle = () => {
    setIsStopped(!isStopped);
    // The pointer is still on the Resume button: hovering must not pause it again.
    setFocused(false);
  };
  return { index: isStill ? null : index, isStopped, toggle, setPointed, setFocused };
}
