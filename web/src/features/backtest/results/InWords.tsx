import type { Run } from '../backtestState.ts';
import { plainWords } from './plainWords.ts';

/** The summary in sentences, for readers who prefer them to tables. Closed at first: the figures come before it. */
export function InWords({ run }: { run: Run }) {
  return (
    <details className="panel block px-3 py-2">
      <summary className="cursor-pointer font-semibold">In words</summary>
      <p data-testid="plain-words" className="max-w-[75ch] pt-2">
        {plainWords(run).join(' ')}
      </p>
    </details>
  );
}
