import { venueFacts, type VenueId, venueIds } from '@sextant/engine-as/abi/costs.ts';
import { useSnapshot } from 'valtio';
import { useSymbols } from '../../../data/symbols.ts';
import { formatCount, formatFixed } from '../../../format/number.ts';
import { ChoiceRow } from '../../../ui/Segments.tsx';
import { DefinedTerm, type Definition } from '../../../ui/Hint.tsx';
import { NumberField } from '../../../ui/NumberInput.tsx';
import { draft, runState } from '../backtestState.ts';
import { chooseFileRules, chooseVenue } from '../runner.ts';
import { costsOfVenue, type EditableCosts, feeDefinition, feesOf, fractionFields, plainFields } from '../costs.ts';
import { standardLiquidity, withoutLiquidity } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { fractionToPercent, percentToFraction } from '../params.ts';

const orders = ['market', 'limit'] as const;

/** The defaults; a value that differs is marked beside its field. */
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
      <FileRules />
      <div className="grid grid-cols-2 gap-x-3 gap-y-2 *:last:col-span-2">
        {fractionFields.map(({ key, definition, ...rule }) => {
          const usual = fractionToPercent(start[key]);
          const value = fractionToPercent(costs[key]);
          const hint = editedHint(value, usual, `${usual} %`);
          return (
            <NumberField
              key={key}
              {...rule}
              hint={hint}
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
      <OrderSize />
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
            hint={hint}
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

/** Another exchange brings its fees, its formula of liquidation and its contract rules; the other costs stay as they are. */
function FeeVenue() {
  const { feeVenue, source } = useSnapshot(draft);
  const { name, tier } = venueFacts[feeVenue];
  const { takerFeeFraction, makerFeeFraction } = feesOf(feeVenue);
  return (
    <ChoiceRow
      definition={feeDefinition(feeVenue)}
      label="Exchange"
      options={venueIds}
      value={feeVenue}
      nameOf={(venue) => venueFacts[venue].name}
      onSelect={(venue: VenueId) => void chooseVenue(venue)}
    >
      <p className="text-label text-muted tabular-nums">
        {name}, {tier}: taker {fractionToPercent(takerFeeFraction)} %, maker {fractionToPercent(makerFeeFraction)} %
      </p>
      {source === 'exchange' && feeVenue !== 'binance' && (
        <p className="text-label text-muted">Candles, funding and mark prices come from Binance.</p>
      )}
    </ChoiceRow>
  );
}

const fileRules = {
  topic: 'setting.fileRules',
  name: 'Contract rules',
  meaning:
    'Price tick, quantity step, minimum order and leverage tiers. A file has none: choose a symbol to apply its rules.',
} as const satisfies Definition;
const fileRuleChoices = ['none', 'symbol'] as const;

/** Exchange candles use the rules of their symbol; a file those of the setup's symbol, or none. */
function FileRules() {
  const { source, symbol } = useSnapshot(draft);
  const { fileContract } = useSnapshot(runState);
  if (source !== 'csv') return null;
  const named = fileContract?.symbol ?? symbol;
  return (
    <ChoiceRow
      definition={fileRules}
      label="Contract rules"
      options={fileRuleChoices}
      value={fileContract === null ? 'none' : 'symbol'}
      nameOf={(value) => (value === 'none' ? 'None' : named)}
      onSelect={(value) => void chooseFileRules(value === 'none' ? null : named)}
    />
  );
}

const targetOrder = {
  topic: 'setting.targetOrder',
  name: 'Target order',
  meaning: 'Market: fills at a touch, as taker. Limit: fills when price trades through, as maker without slippage.',
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

const orderSize = {
  topic: 'setting.orderSize',
  name: 'Order size',
  meaning: `By turnover: larger orders fill worse, and entries take at most ${100 * standardLiquidity.turnoverShareMax} % of a candle. Ignored: any size fills at the same price.`,
  formula: 'added slippage = volatility of a candle x sqrt(order / turnover of a candle)',
  example: 'An order of 1 % of turnover at 0.5 % volatility: 0.05 % more slippage.',
} as const satisfies Definition;
const orderSizes = ['turnover', 'ignored'] as const;

/** Older runs have the coefficient of their time: only 0 is off. */
function OrderSize() {
  const { costs } = useSnapshot(draft);
  const isOn = costs.impactCoefficient > 0 || costs.turnoverShareMax > 0;
  return (
    <ChoiceRow
      definition={orderSize}
      label="Order size"
      options={orderSizes}
      value={isOn ? 'turnover' : 'ignored'}
      nameOf={(value) => (value === 'turnover' ? 'By turnover' : 'Ignored')}
      onSelect={(value) => {
        Object.assign(draft.costs, value === 'turnover' ? standardLiquidity : withoutLiquidity);
      }}
    >
      {!isOn && <p className="text-label text-warn">Large orders fill like small ones: costs may be understated.</p>}
    </ChoiceRow>
  );
}

type FundingSource = EditableCosts['fundingSource'];

const definitions = {
  funding: {
    topic: 'setting.funding',
    name: 'Funding',
    meaning:
      'Longs pay shorts while holding; negative rates reverse it. As settled: real rates and times. Assumed: one rate at 0, 8 and 16 h UTC. Off: none, so costs are understated.',
    formula: 'funding = side x quantity x price at that moment x rate',
  },
  assumedRate: {
    topic: 'setting.assumedRate',
    name: 'Assumed rate',
    meaning:
      'Longs pay this at 0, 8 and 16 h UTC, in percent of the notional. 0.01 % is the interest part at Binance. Our assumption.',
    example: 'A long of 1,000 USDT held for a day at 0.01 % pays 0.30 USDT.',
  },
  sameBar: {
    topic: 'setting.sameBar',
    name: 'Stop and target in one candle',
    meaning:
      'A candle hides which price came first. Stop first is the worse case and the default; target first the better. Honesty shows both. 1-minute data settles most.',
  },
  fineData: {
    topic: 'setting.fineData',
    name: 'Minutes and mark prices',
    meaning:
      'Uses 1-minute data when one candle reaches both stop and target, and the mark price for liquidation. On by default.',
    example: 'A candle of 1h touches the stop at minute 40 and the target at minute 12: the trade takes its profit.',
  },
} as const satisfies Record<string, Definition>;

const fundingNames: Record<FundingSource, string> = { history: 'As settled', assumed: 'Assumed', off: 'Off' };
const fineChoices = ['on', 'off'] as const;
const fineNames = { on: 'On', off: 'Off' };
const sameBars = ['stop', 'target'] as const;
const sameBarNames = { stop: 'Stop first', target: 'Target first' };

/** Assumptions for what candles do not show: funding due, and the order of events inside a candle. */
function AssumptionFields() {
  const { costs, source, fineData } = useSnapshot(draft);
  return (
    <>
      <FundingField />
      {source === 'exchange' && (
        <ChoiceRow
          definition={definitions.fineData}
          label="Minutes and mark prices"
          options={fineChoices}
          value={fineData ? 'on' : 'off'}
          nameOf={(value) => fineNames[value]}
          onSelect={(value) => {
            draft.fineData = value === 'on';
          }}
        >
          {!fineData && <p className="text-label text-warn">Off: the order inside a candle is assumed.</p>}
        </ChoiceRow>
      )}
      <ChoiceRow
        definition={definitions.sameBar}
        label="Stop and target in one candle"
        options={sameBars}
        value={costs.sameBar}
        nameOf={(value) => sameBarNames[value]}
        onSelect={(value) => {
          draft.costs.sameBar = value;
        }}
      >
        {costs.sameBar === 'target' && <p className="text-label text-warn">Optimistic: real results may be lower.</p>}
      </ChoiceRow>
    </>
  );
}

function FundingField() {
  const { source, costs } = useSnapshot(draft);
  // A file has no fundings: "as settled" would mean none.
  const options: readonly FundingSource[] = source === 'csv' ? ['assumed', 'off'] : ['history', 'assumed', 'off'];
  const value = source === 'csv' && costs.fundingSource === 'history' ? 'off' : costs.fundingSource;
  return (
    <ChoiceRow
      definition={definitions.funding}
      label="Funding"
      options={options}
      value={value}
      nameOf={(each) => fundingNames[each]}
      onSelect={(next) => {
        draft.costs.fundingSource = next;
      }}
    >
      <FundingNote value={value} />
      {value === 'assumed' && (
        <NumberField
          label={<DefinedTerm definition={definitions.assumedRate} />}
          unit="%"
          min={-1}
          max={1}
          step={0.001}
          decimals={4}
          hint="every 8 hours, from -1 to 1 %, default 0.01 %"
          value={fractionToPercent(costs.assumedFundingFraction)}
          onChange={(next) => {
            draft.costs.assumedFundingFraction = percentToFraction(next);
          }}
        />
      )}
    </ChoiceRow>
  );
}

function FundingNote({ value }: { value: FundingSource }) {
  const { source } = useSnapshot(draft);
  const { run } = useSnapshot(runState);
  const text = noteOf(value, source, run?.loaded.source === 'exchange' ? (run.loaded.funding?.time.length ?? 0) : null);
  return text === null ? null : <p className="text-label text-muted">{text}</p>;
}

/** @param knownCount settled fundings of the run on screen; null without a run */
function noteOf(value: FundingSource, source: 'exchange' | 'csv', knownCount: number | null): string | null {
  if (value === 'assumed') return null;
  if (source === 'csv') return 'A file has no funding: none is charged.';
  if (value === 'off') return 'No funding is charged: costs are understated.';
  if (knownCount === 0) return 'No funding available for these candles.';
  return knownCount === null
    ? 'Real rates and times of the exchange.'
    : `${formatCount(knownCount)} settled in these candles.`;
}
