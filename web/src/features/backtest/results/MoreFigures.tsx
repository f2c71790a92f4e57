import { ChevronDown } from 'lucide-react';
import { formatCount } from '../../../format/number.ts';
import { figureCount } from './allFigures.ts';

/** Opens and closes the figures that few ask for. */
export function MoreFigures({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  return (
    <button type="button" className="btn btn-ghost btn-small" aria-expanded={isOpen} onClick={onToggle}>
      <ChevronDown size={14} aria-hidden="true" className={isOpen ? 'rotate-180' : ''} />
      {isOpen ? 'Fewer figures' : `${formatCount(figureCount)} more figures: return, risk, trades`}
    </button>
  );
}
