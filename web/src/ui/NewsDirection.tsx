import { Minus, TrendingDown, TrendingUp } from 'lucide-react';
import type { NewsDirection } from '../api/types.ts';

const looks = {
  bullish: { icon: TrendingUp, word: 'Bullish', className: 'text-up' },
  bearish: { icon: TrendingDown, word: 'Bearish', className: 'text-down' },
  neutral: { icon: Minus, word: 'Neutral', className: 'text-muted' },
} as const;

/** A judgement as icon and word. */
export function DirectionWord({ direction }: { direction: NewsDirection }) {
  const { icon: Icon, word, className } = looks[direction];
  return (
    <span className={`inline-flex items-center gap-1 ${className}`}>
      <Icon size={13} aria-hidden="true" />
      {word}
    </span>
  );
}

interface Counts {
  bullish: number;
  bearish: number;
  neutral: number;
}

/** Shares of bullish, neutral and bearish as one bar with its figures. */
export function DirectionBar({ bullish, bearish, neutral }: Counts) {
  const total = bullish + bearish + neutral;
  const parts = [
    { name: 'bullish', count: bullish, className: 'bg-up' },
    { name: 'neutral', count: neutral, className: 'bg-muted' },
    { name: 'bearish', count: bearish, className: 'bg-down' },
  ];
  return (
    <div className="flex flex-col gap-1.5">
      <div aria-hidden="true" className="flex h-2.5 gap-px overflow-hidden rounded-sm bg-row-hover">
        {total > 0 &&
          parts.map(({ name, count, className }) => (
            <span key={name} className={className} style={{ width: `${(count / total) * 100}%` }} />
          ))}
      </div>
      <p className="flex justify-between text-label">
        <span className="text-up">{bullish} bullish</span>
        <span className="text-muted">{neutral} neutral</span>
        <span className="text-down">{bearish} bearish</span>
      </p>
    </div>
  );
}
