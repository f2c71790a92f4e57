import { useSnapshot } from 'valtio';
import { openPage } from '../../../state/navigation.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { draft } from '../backtestState.ts';
import { useRulesText } from './textState.ts';

/** Above the result, while the text it was made with has been changed to one with an error. */
export function StaleText() {
  const { strategy } = useSnapshot(draft);
  const { checked } = useRulesText();
  if (strategy !== 'own' || checked.ok) return null;
  return (
    <Notice
      tone="warn"
      action={
        <button type="button" className="btn btn-small" onClick={() => openPage('backtest', 'params')}>
          Edit rules
        </button>
      }
    >
      Your rules have an error. Showing the result of the last valid version.
    </Notice>
  );
}
