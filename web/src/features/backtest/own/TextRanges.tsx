import { isRanged } from '@sextant/workers/src/rules/checked.ts';
import { formatCount } from '../../../format/number.ts';
import { openPage } from '../../../state/navigation.ts';
import type { CheckedRules } from './ownRules.ts';
import { useRulesText } from './textState.ts';

/** Why a search has nothing to vary; null when the text has a range. */
export function whyNoRanges(checked: CheckedRules): string | null {
  if (!checked.ok) return 'Your rules have an error. Fix it to search.';
  if (checked.value.parameters.some(isRanged)) return null;
  return 'Your rules have no range to search. Write one like this:';
}

const EXAMPLE = 'fast = 12 [5..50 step 1]';

/** The ranges of a search over own rules, which stand in the text. */
export function TextRanges() {
  const { checked } = useRulesText();
  const reason = whyNoRanges(checked);
  const edit = (
    <button type="button" className="btn btn-small self-start" onClick={() => openPage('backtest', 'params')}>
      Edit rules
    </button>
  );
  if (!checked.ok || reason !== null)
    return (
      <section aria-label="Ranges of the search" className="flex flex-col gap-2 text-label">
        <p className="text-warn">
          {reason} {checked.ok && <code className="font-mono">{EXAMPLE}</code>}
        </p>
        {edit}
      </section>
    );
  const { parameters, setCount } = checked.value;
  return (
    <section aria-label="Ranges of the search" className="flex flex-col gap-2 text-label">
      <table className="table w-full tabular-nums">
        <thead>
          <tr>
            <th scope="col" className="lead">
              Parameter
            </th>
            <th scope="col">Min</th>
            <th scope="col">Max</th>
            <th scope="col">Step</th>
          </tr>
        </thead>
        <tbody>
          {parameters.filter(isRanged).map(({ name, from, to, step }) => (
            <tr key={name}>
              <th scope="row" className="lead font-mono font-normal">
                {name}
              </th>
              <td>{from}</td>
              <td>{to}</td>
              <td>{step}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-muted">{formatCount(setCount)} sets in all.</p>
      {edit}
    </section>
  );
}
