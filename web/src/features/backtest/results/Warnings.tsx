import { Notice } from '../../../ui/Notice.tsx';
import type { Run } from '../backtestState.ts';
import { warningsOf } from './warnings.ts';

/** What a careful reader should know before believing the figures. */
export function Warnings({ run }: { run: Run }) {
  const warnings = warningsOf(run);
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warn">
      <ul className="flex flex-wrap gap-x-4 gap-y-0.5 text-label">
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Notice>
  );
}
