import { Panel } from '../../../ui/Panel.tsx';
import type { Run } from '../backtestState.ts';
import { plainWords } from './plainWords.ts';

/** The summary for whoever does not read tables. */
export function InWords({ run }: { run: Run }) {
  return (
    <Panel title="In words" bodyClassName="p-3">
      <p data-testid="plain-words" className="max-w-[75ch]">
        {plainWords(run).join(' ')}
      </p>
    </Panel>
  );
}
