import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { rulesText } from '../../../format/strategyText.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { SaveRules } from './MyRules.tsx';

/** Beside the figures of a run of a strategy: its rules, and a way to save them. */
export function LiveNote({ strategy, name }: { strategy: Strategy; name: string }) {
  return (
    <Panel title={name} bodyClassName="flex flex-col gap-2 p-3">
      <dl data-testid="live-rules" className="flex flex-col text-label">
        {rulesText(strategy).map(([name, value]) => (
          <div key={name} className="flex justify-between gap-3 border-b border-line py-1">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      <SaveRules strategy={strategy} />
      <p className="text-label text-muted">
        One look at one set of rules: honesty figures, other markets, proof, sharing and kept runs are there for
        Classic.
      </p>
    </Panel>
  );
}
