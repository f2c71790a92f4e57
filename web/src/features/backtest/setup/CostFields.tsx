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
import { schedules, type Venue, venues } from '../../../format/feeSources.ts';

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
  const { name, tier } = schedules[feeVenue];
  const { takerFeeFraction, makerFeeFraction } = feesOf(feeVenue);
  return (
    <ChoiceRow
      definition={feeDefinition(feeVenue)}
      label="Exchange"
      options={venues}
      value={feeVenue}
      nameOf={(venue) => schedules[venue].name}
      onSelect={(venue: Venue) => void chooseVenue(venue)}
    >
      <p className="text-label text-muted tabular-nums">
        {name}, {tier}: taker {fractionToPercent(takerFeeFraction)} %, maker {fractionToPercent(makerFeeFraction)} %
      </p>
      {source === 'exchange' && feeVenue !== 'binance' && (
        <p className="text-label text-muted">Candles, fundings and mark prices stay those of Binance.</p>
      )}
    </ChoiceRow>
  );
}

const fileRules = {
  topic: 'setting.fileRules',
  name: 'Contract rules',
  meaning:
    'Price tick, quantity step, least order and leverage tiers of a symbol, on the exchange chosen above. A file has none of its own: without them sizes are not rounded and no order is too small.',
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

const orderSize = {
  topic: 'setting.orderSize',
  name: 'Order size',
  meaning: `By turnover: a larger order is filled at a worse price, by the square root of its share of the turnover, and an entry takes at most ${100 * standardLiquidity.turnoverShareMax} % of a candle. Ignored: any size is filled at the same price.`,
  formula: 'added slippage = volatility of a candle x sqrt(order / turnover of a candle)',
  example: 'An order of 1 % of the turnover where a candle moves 0.5 %: 0.05 % more slippage.',
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
      {!isOn && <p className="text-label text-warn">Large orders cost as little as small ones.</p>}
    </ChoiceRow>
  );
}

type FundingSource = EditableCosts['fundingSource'];

const definitions = {
  funding: {
    topic: 'setting.funding',
    name: 'Funding',
    meaning:
      'What longs pay shorts at the times of the exchange while a position is held; negative rates go the other way. As settled: the rates the exchange settled, at its own times. Assumed: one rate at 0, 8 and 16 h UTC. Off: none, which understates the costs.',
    formula: 'funding = side x quantity x price at that moment x rate',
  },
  assumedRate: {
    topic: 'setting.assumedRate',
    name: 'Assumed rate',
    meaning:
      'What longs pay at 0, 8 and 16 h UTC, in percent of the notional. 0.01 % is the interest part of the rate on Binance, from which it starts when price and index agree. An assumption of ours, not what was settled.',
    example: 'A long of 1,000 USDT held for a day at 0.01 % pays 0.30 USDT.',
  },
  sameBar: {
    topic: 'setting.sameBar',
    name: 'Stop and target in one candle',
    meaning:
      'A candle does not tell which of the two prices came first. Stop first takes the worse of the two and is the default; target first the better one. The honesty panel always shows both. Minute candles settle most of them.',
  },
  fineData: {
    topic: 'setting.fineData',
    name: 'Minutes and mark prices',
    meaning:
      'Where one candle holds both the stop and the target, its minute candles say which came first. Liquidation goes by the mark price of the exchange instead of the last trade. On by default.',
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
          {!fineData && <p className="text-label text-warn">Candles alone: the order inside them is assumed.</p>}
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
        {costs.sameBar === 'target' && <p className="text-label text-warn">The optimistic bound, not the default.</p>}
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
  if (source === 'csv') return 'A file has no fundings. None is charged, and the result says so.';
  if (value === 'off') return 'None is charged, and the result says so.';
  if (knownCount === 0) return 'The exchange gave none for these candles; the result says so.';
  return knownCount === null
    ? 'At the times and rates the exchange settled.'
    : `${formatCount(knownCount)} settled in the candles loaded, each at its own time.`;
}
