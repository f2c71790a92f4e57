import { ArrowDown, ArrowUp } from 'lucide-react';

/** Word and arrow, so that colour is not the only sign. */
export function DirectionMark({ direction }: { direction: string }) {
  if (direction === 'NEUTRAL') return <span className="text-muted">NEUTRAL</span>;
  const isLong = direction === 'LONG';
  const Arrow = isLong ? ArrowUp : ArrowDown;
  return (
    <span className={`inline-flex items-baseline gap-1 font-medium ${isLong ? 'text-up' : 'text-down'}`}>
      <Arrow size={12} aria-hidden="true" className="self-center" />
      {direction}
    </span>
  );
}
