import { useSnapshot } from 'valtio';
import { DefinedTerm } from '../../../ui/Hint.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { draft } from '../backtestState.ts';
import { fractionFields, plainFields, startCosts } from '../costs.ts';
import { fractionToPercent, percentToFraction } from '../params.ts';

const orders = ['market', 'limit'] as const;

export function CostFields() {
  const { costs } = useSnapshot(draft);
  const start = startCosts();
  const isChanged = Object.entries(start).some(([key, value]) => costs[key as keyof typeof costs] !== value);
  return (
    <section className="flex flex-col gap-3 border-t border-line pt-3">
      <header className="flex items-center justify-between">
        <h2 className="font-semibold">Costs and sizing</h2>
        {isChanged && (
          <button type="button" className="btn btn-ghost btn-small" onClick={() => Object.assign(draft.costs, start)}>
            Reset
          </button>
        )}
      </header>
      <div className="grid grid-cols-3 gap-2">
        {plainFields.map(({ key, definition, ...rule }) => (
          <NumberField
            key={key}
            {...rule}
            label={<DefinedTerm definition={definition} />}
            value={costs[key]}
            onChange={(value) => {
              draft.costs[key] = value;
            }}
          />
        ))}
      </div>
      <div className="grid grid-cols-2 gap-x-3 gap-y-2 *:last:col-span-2">
        {fractionFields.map(({ key, definition, ...rule }) => (
          <NumberField
            key={key}
            {...rule}
            label={<DefinedTerm definition={definition} />}
            value={fractionToPercent(costs[key])}
            onChange={(value) => {
              draft.costs[key] = percentToFraction(value);
            }}
          />
        ))}
      </div>
      <div className="flex flex-col gap-1">
        <span className="text-label font-medium">
          <DefinedTerm
            definition={{
              name: 'Target order',
              meaning:
                'Market: a touch of the target fills it as a taker. Limit: the price must trade through it, then it is filled as a maker without slippage.',
            }}
          />
        </span>
        <Segments
          label="Target order"
          options={orders}
          value={costs.takeProfitOrder}
          nameOf={(value) => (value === 'market' ? 'Market, taker' : 'Limit, maker')}
          onSelect={(value) => {
            draft.costs.takeProfitOrder = value;
          }}
        />
      </div>
    </section>
  );
}
