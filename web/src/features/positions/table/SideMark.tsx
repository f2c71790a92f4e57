import { ArrowDown, ArrowUp } from 'lucide-react';

/** Word and arrow, so that colour is not the only sign. */
export function SideMark({ side }: { side: 'LONG' | 'SHORT' }) {
  const Arrow = side === 'LONG' ? ArrowUp : ArrowDown;
  return (
    <span className={`inline-flex items-baseline gap-1 font-medium ${side === 'LONG' ? 'text-up' : 'text-down'}`}>
      <Arrow size={12} aria-hidden="true" className="self-center" />
      {side}
    </span>
  );
}
