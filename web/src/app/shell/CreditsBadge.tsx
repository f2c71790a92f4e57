import { Coins } from 'lucide-react';
import { useCredits } from '../../api/credits.ts';
import { formatCount } from '../../format/number.ts';
import { Hint } from '../../ui/Hint.tsx';

/** What can be spent, as the ledger has it; nothing is shown before it is known. */
export function CreditsBadge() {
  const { data } = useCredits();
  if (data === undefined) return null;
  const lines = [
    `${formatCount(data.balance)} credits to spend.`,
    ...(data.held > 0 ? [`${formatCount(data.held)} reserved for running work.`] : []),
  ];
  return (
    <Hint label={`${formatCount(data.balance)} credits`} lines={lines} className="btn btn-ghost btn-small">
      <Coins size={14} aria-hidden="true" />
      <span className="tabular">{formatCount(data.balance)}</span>
    </Hint>
  );
}
