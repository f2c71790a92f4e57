import type { ReactNode } from 'react';
import { formatCount } from '../../format/number.ts';

export interface Counted {
  done: number;
  total: number;
}

const ofAll = ({ done, total }: Counted): string => `${formatCount(done)} of ${formatCount(total)}`;

/** For each kind of item: the accessible name of its progress bar and the text below it. */
const kinds = {
  candles: { label: 'Candles loaded', words: (count: Counted) => `${ofAll(count)} candles` },
  minutes: { label: 'Minutes loaded', words: (count: Counted) => `Minutes of ${ofAll(count)} candles` },
  sets: { label: 'Sets searched', words: (count: Counted) => `${ofAll(count)} sets` },
} as const;

interface LoadProgressProps {
  of: keyof typeof kinds;
  count: Counted;
  /** A button beside the text. */
  children?: ReactNode;
}

/** Progress of loading or searching, as a bar and as text. */
export function LoadProgress({ of, count, children }: LoadProgressProps) {
  const { label, words } = kinds[of];
  return (
    <div className="flex w-full flex-col gap-1 text-label text-muted tabular-nums">
      <progress className="progress" aria-label={label} value={count.done} max={count.total} />
      <div className="flex items-center justify-between gap-2">
        <span>{words(count)}</span>
        {children}
      </div>
    </div>
  );
}
