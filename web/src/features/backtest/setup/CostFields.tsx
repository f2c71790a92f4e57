import { useSnapshot } from 'valtio';
import { useSymbols } from '../../../api/market.ts';
import { formatFixed } from '../../../format/number.ts';
import { ChoiceRow } from '../../../ui/ChoiceRow.tsx';
import { type Definition, DefinedTerm } from '../../../ui/Hint.tsx';
import { NumberField } from '../../../ui/NumberField.tsx';
import { draft } from '../backtestState.ts';
import { costsOfVenue, fractionFields, plainFields } from '../costs.ts';
import { fractionToPercent, percentToFraction } from '../params.ts';
import { AssumptionFields } from './AssumptionFields.tsx';
import { feeDefinition, feesOf, type Venue, venueFees, venues } from './venueFees.ts';

const orders = ['market', 'limit'] as const;

/** What is used when nobody has written anything, and what was written instead is told beside its field. */
const editedHint = (value: number, usual: number, text: string): string | undefined =>
  value === usual ? undefined : `edited, was ${text}`;

export function CostFields() {
  const { costs, feeVenue } = useSnapshot(draft);
  const start = costsOfVenue(feeVenue);
  const isChanged = Object.entries(start).some(([key, value]) => costs[key as keyof typeof costs] !== value);
  return (
    <section aria-label="Costs and sizing" className="flex flex-col gap-3 border-t border-line pt-3">
      <header className="flex h-7 items-center justify-between">
        <h2 className="font-semibold">Costs and sizing</h2>
        {isChanged && (
          <button type="button" className="btn btn-ghost btn-small" onClick={() => Object.assign(draft.costs, start)}>
            Reset
          </button>
        )}
      </header>
      <SizingFields />
      <FeeVenue />
      <div className="grid grid-cols-2 gap-x-3 gap-y-2 *:last:col-span-2">
        {fractionFields.map(({ key, definition, ...rule }) => {
          const usual = fractionToPercent(start[key]);
          const value = fractionToPercent(costs[key]);
          const hint = editedHint(value, usual, `${usual} %`);
          return (
            <NumberField
              key={key}
              {...rule}
              {...(hint === undefined ? {} : { hint })}
              label={<DefinedTerm definition={definition} />}
              value={value}
              onChange={(next) => {
                draft.costs[key] = percentToFraction(next);
              }}
            />
          );
        })}
      </div>
      <TargetOrder />
      <AssumptionFields />
    </section>
  );
}

/** The contract of the symbol bounds the leverage. */
function useLeverageMax(): number | null {
  const { source, symbol } = useSnapshot(draft);
  const symbols = useSymbols();
  if (source === 'csv') return null;
  return symbols.data?.symbols.find((each) => each.symbol === symbol)?.max_leverage ?? null;
}

function SizingFields() {
  const { costs, feeVenue } = useSnapshot(draft);
  const start = costsOfVenue(feeVenue);
  const leverageMax = useLeverageMax();
  return (
    <div className="grid grid-cols-3 gap-2">
      {plainFields.map(({ key, definition, ...rule }) => {
        const max = key === 'leverage' && leverageMax !== null ? Math.min(rule.max, leverageMax) : rule.max;
        const edited = editedHint(costs[key], start[key], formatFixed(start[key], 0));
        const hint = edited ?? (max < rule.max ? `contract: to ${max}x` : undefined);
        return (
          <NumberField
            key={key}
            {...rule}
            max={max}
            {...(hint === undefined ? {} : { hint })}
            label={<DefinedTerm definition={definition} />}
            value={costs[key]}
            onChange={(value) => {
              draft.costs[key] = value;
            }}
          />
        );
      })}
    </div>
  );
}

/** Another exchange brings its own fees along; the other costs stay as they are. */
function FeeVenue() {
  const { feeVenue } = useSnapshot(draft);
  const { name, tier, takerFeeFraction, makerFeeFraction } = venueFees[feeVenue];
  const select = (venue: Venue) => {
    draft.feeVenue = venue;
    Object.assign(draft.costs, feesOf(venue));
  };
  return (
    <ChoiceRow
      definition={feeDefinition(feeVenue)}
      label="Fees of"
      options={venues}
      value={feeVenue}
      nameOf={(venue) => venueFees[venue].name}
      onSelect={select}
    >
      <p className="text-label text-muted tabular-nums">
        {name}, {tier}: taker {fractionToPercent(takerFeeFraction)} %, maker {fractionToPercent(makerFeeFraction)} %
      </p>
    </ChoiceRow>
  );
}

const targetOrder = {
  name: 'Target order',
  meaning:
    'Market: a touch of the target fills it as a taker. Limit: the price must trade through it, then it is filled as a maker without slippage.',
} as const satisfies Definition;

function TargetOrder() {
  const { costs } = useSnapshot(draft);
  return (
    <ChoiceRow
      definition={targetOrder}
      label="Target order"
      options={orders}
      value={costs.takeProfitOrder}
      nameOf={(value) => (value === 'market' ? 'Market, taker' : 'Limit, maker')}
      onSelect={(value) => {
        draft.costs.takeProfitOrder = value;
      }}
    />
  );
}
