import { Check } from 'lucide-react';
import { useSnapshot } from 'valtio';
import type { ScanSignal } from '../../../api/types.ts';
import { aiCheckState } from '../check/aiChecks.ts';
import { checkText, isPassed } from './signalText.ts';

/** Beside a result: what its check came to in two words, or that it is under way. */
export function AiMark({ signal }: { signal: ScanSignal }) {
  const { asking } = useSnapshot(aiCheckState);
  if (asking === signal.signal_id)
    return <span className="text-muted">{signal.rule_check === null ? 'AI: asking' : 'Rule check: running'}</span>;
  const text = checkText(signal);
  const hasPassed = isPassed(signal);
  if (text === null) return null;
  return (
    <span className={`inline-flex items-center gap-1 whitespace-nowrap ${hasPassed ? 'text-text' : 'text-muted'}`}>
      {hasPassed && <Check size={12} aria-hidden="true" className="text-accent" />}
      {text}
    </span>
  );
}
