import { Check } from 'lucide-react';
import { useSnapshot } from 'valtio';
import type { ScanSignal } from '../../../api/types.ts';
import { aiCheckState } from '../check/aiChecks.ts';
import { aiStateText } from './signalText.ts';

/** Beside a result: what the AI check said in two words, or that it is being asked. */
export function AiMark({ signal: { signal_id: id, ai_state: state } }: { signal: ScanSignal }) {
  const { asking } = useSnapshot(aiCheckState);
  if (asking === id) return <span className="text-muted">AI: asking</span>;
  const text = aiStateText[state];
  if (text === null) return null;
  return (
    <span
      className={`inline-flex items-center gap-1 whitespace-nowrap ${state === 'approved' ? 'text-text' : 'text-muted'}`}
    >
      {state === 'approved' && <Check size={12} aria-hidden="true" className="text-accent" />}
      {text}
    </span>
  );
}
