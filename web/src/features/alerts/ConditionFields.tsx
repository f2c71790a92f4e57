import { venueIds } from '@sextant/engine-as/abi/costs.ts';
import { signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import { indicatorEntry } from '@sextant/engine-as/abi/registry.ts';
import {
  alertDirections,
  type AlertKind,
  alertLimits,
  changeDirections,
  type Comparison,
  comparisons,
} from '@sextant/workers/src/alerts/conditions.ts';
import { useId } from 'react';
import { useOpenPositions } from '../../data/positions.ts';
import { useStrategies } from '../../data/strategies.ts';
import { tradedSymbols, useSymbols } from '../../data/symbols.ts';
import { exchangeName } from '../../format/names.ts';
import { CheckBox } from '../../ui/CheckBox.tsx';
import { Field, TextField } from '../../ui/Field.tsx';
import { NumberField } from '../../ui/NumberInput.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { type AlertDraft, alertIndicators, indicatorFields } from './alertDraft.ts';

// Long because it is the one form of nine kinds of conditions.

interface Props {
  draft: AlertDraft;
  onChange: (fields: Partial<AlertDraft>) => void;
}

export const kindNames: Record<AlertKind, string> = {
  price: 'Price',
  change: 'Price change in minutes',
  indicator: 'Indicator',
  signal: 'Signal',
  spread: 'Net spread between exchanges',
  funding: 'Funding rate',
  liquidation: 'Distance to liquidation',
  news: 'News',
  formula: 'Formula',
};
const whenNames: Record<Comparison, string> = { cross: 'Crosses', above: 'At or above', below: 'At or below' };
const changeNames = { up: 'Rises', down: 'Falls', either: 'Either' } as const;
const signalNames = { LONG: 'Long', SHORT: 'Short', any: 'Any' } as const;
const intervals = ['1m', '5m', ...signalIntervals, '1d'] as const;
const PRICE_DECIMALS = 10;

interface SelectProps<Value extends string> {
  label: string;
  options: readonly Value[];
  value: Value;
  nameOf: (value: Value) => string;
  onSelect: (value: Value) => void;
  hint?: string;
}

export function SelectField<Value extends string>(props: SelectProps<Value>) {
  const { label, options, value, nameOf, onSelect, hint } = props;
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <select {...ids} className="input" value={value} onChange={(event) => onSelect(event.target.value as Value)}>
          {options.map((option) => (
            <option key={option} value={option}>
              {nameOf(option)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function SymbolField({ draft, onChange }: Props) {
  const list = useId();
  const universe = useSymbols(draft.exchange);
  return (
    <Field label="Symbol">
      {(ids) => (
        <>
          <input
            {...ids}
            className="input"
            list={list}
            value={draft.symbol}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => onChange({ symbol: event.target.value.toUpperCase() })}
          />
          <datalist id={list}>
            {universe.data !== undefined &&
              tradedSymbols(universe.data).map((symbol) => <option key={symbol} value={symbol} />)}
          </datalist>
        </>
      )}
    </Field>
  );
}

const ExchangeField = ({ draft, onChange }: Props) => (
  <SelectField
    label="Exchange"
    options={venueIds}
    value={draft.exchange}
    nameOf={exchangeName}
    onSelect={(exchange) => onChange({ exchange })}
  />
);

const WhenField = ({ draft, onChange }: Props) => (
  <Segments
    label="Comparison"
    options={comparisons}
    value={draft.when}
    nameOf={(when) => whenNames[when]}
    onSelect={(when) => onChange({ when })}
  />
);

const IntervalField = ({ draft, onChange }: Props) => (
  <SelectField
    label="Candles"
    options={intervals}
    value={intervals.find((each) => each === draft.interval) ?? '1h'}
    nameOf={String}
    onSelect={(interval) => onChange({ interval })}
    hint="Judged when a candle closes."
  />
);

function PriceFields(props: Props) {
  const { draft, onChange } = props;
  return (
    <>
      <WhenField {...props} />
      <NumberField
        label="Price, USDT"
        value={draft.level}
        min={0}
        max={1e12}
        step={draft.level / 1000 || 1}
        decimals={PRICE_DECIMALS}
        onChange={(level) => onChange({ level })}
        hint={draft.when === 'cross' ? 'From either side.' : 'Fires at once if the price is there already.'}
      />
    </>
  );
}

function ChangeFields({ draft, onChange }: Props) {
  return (
    <>
      <Segments
        label="Direction"
        options={changeDirections}
        value={draft.change}
        nameOf={(change) => changeNames[change]}
        onSelect={(change) => onChange({ change })}
      />
      <div className="grid grid-cols-2 gap-3">
        <NumberField
          label="By"
          unit="%"
          value={draft.pct}
          min={0.001}
          max={1000}
          step={0.1}
          decimals={3}
          onChange={(pct) => onChange({ pct })}
        />
        <NumberField
          label="Within"
          unit="min"
          value={draft.minutes}
          min={1}
          max={alertLimits.minutesMax}
          step={1}
          decimals={0}
          onChange={(minutes) => onChange({ minutes })}
        />
      </div>
    </>
  );
}

function IndicatorFields(props: Props) {
  const { draft, onChange } = props;
  const entry = indicatorEntry(draft.indicator);
  const params = { ...indicatorFields(draft.indicator).params, ...draft.params };
  return (
    <>
      <SelectField
        label="Indicator"
        options={alertIndicators.map(({ id }) => id)}
        value={draft.indicator}
        nameOf={(id) => indicatorEntry(id)?.title ?? id}
        onSelect={(id) => onChange(indicatorFields(id))}
      />
      {entry !== undefined && entry.parameters.length > 0 && (
        <div className="grid grid-cols-2 gap-3">
          {entry.parameters.map(({ name, title, min, max, isInteger }) => (
            <NumberField
              key={`${draft.indicator} ${name}`}
              label={title}
              value={params[name] ?? min}
              min={min}
              max={max}
              step={isInteger ? 1 : 0.1}
              decimals={isInteger ? 0 : 4}
              onChange={(value) => onChange({ params: { ...params, [name]: value } })}
            />
          ))}
        </div>
      )}
      {entry !== undefined && entry.outputs.length > 1 && (
        <SelectField
          label="Line"
          options={entry.outputs.map(({ name }) => name)}
          value={draft.output}
          nameOf={String}
          onSelect={(output) => onChange({ output })}
        />
      )}
      <IntervalField {...props} />
      <WhenField {...props} />
      <NumberField
        label="Level"
        value={draft.level}
        min={-1e12}
        max={1e12}
        step={1}
        decimals={PRICE_DECIMALS}
        onChange={(level) => onChange({ level })}
      />
    </>
  );
}

function SignalFields(props: Props) {
  const { draft, onChange } = props;
  const strategies = useStrategies().data?.strategies ?? [];
  const names = new Map(strategies.map(({ id, name }) => [id, name]));
  return (
    <>
      <SelectField
        label="Rules"
        options={['', ...names.keys()]}
        value={draft.strategyId}
        nameOf={(id) => names.get(id) ?? 'Live signals'}
        onSelect={(strategyId) => onChange({ strategyId })}
      />
      <IntervalField {...props} />
      <Segments
        label="Direction"
        options={alertDirections}
        value={draft.signal}
        nameOf={(signal) => signalNames[signal]}
        onSelect={(signal) => onChange({ signal })}
      />
    </>
  );
}

function SpreadFields({ draft, onChange }: Props) {
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <SelectField
          label="Buy on"
          options={venueIds}
          value={draft.buy}
          nameOf={exchangeName}
          onSelect={(buy) => onChange({ buy })}
        />
        <SelectField
          label="Sell on"
          options={venueIds}
          value={draft.sell}
          nameOf={exchangeName}
          onSelect={(sell) => onChange({ sell })}
        />
      </div>
      <NumberField
        label="Net spread at or above"
        unit="%"
        value={draft.netPct}
        min={-100}
        max={100}
        step={0.01}
        decimals={3}
        onChange={(netPct) => onChange({ netPct })}
        hint="After default taker fees and 8 hours of funding."
      />
    </>
  );
}

function FundingFields(props: Props) {
  const { draft, onChange } = props;
  return (
    <>
      <WhenField {...props} />
      <NumberField
        label="Rate"
        unit="%"
        value={draft.ratePct}
        min={-10}
        max={10}
        step={0.005}
        decimals={4}
        onChange={(ratePct) => onChange({ ratePct })}
        hint="Of the next funding. Positive: longs pay."
      />
    </>
  );
}

function LiquidationFields({ draft, onChange }: Props) {
  const positions = useOpenPositions();
  const open = (positions.data ?? []).filter(({ liquidationApprox }) => liquidationApprox !== null);
  if (positions.data !== undefined && open.length === 0)
    return <p className="text-muted">Open a leveraged position first.</p>;
  const names = new Map(open.map(({ id, symbol, side }) => [id, `${symbol} ${side}`]));
  return (
    <>
      <SelectField
        label="Position"
        options={draft.positionId === '' ? ['', ...names.keys()] : [...names.keys()]}
        value={draft.positionId}
        nameOf={(id) => names.get(id) ?? 'Choose a position'}
        onSelect={(positionId) => onChange({ positionId })}
      />
      <NumberField
        label="Distance at most"
        unit="%"
        value={draft.distancePct}
        min={0.001}
        max={100}
        step={0.5}
        decimals={3}
        onChange={(distancePct) => onChange({ distancePct })}
        hint="Of the mark price to the liquidation price."
      />
    </>
  );
}

const FormulaFields = (props: Props) => (
  <>
    <TextField
      label="Condition"
      value={props.draft.expression}
      onChange={(expression) => props.onChange({ expression })}
      hint="Write it like your rules: close > ema(50) and rsi(14) < 40."
    />
    <IntervalField {...props} />
  </>
);

const NewsFields = ({ draft, onChange }: Props) => (
  <CheckBox
    label="High-impact stories only"
    isOn={draft.isHighImpact}
    onToggle={(isHighImpact) => onChange({ isHighImpact })}
  />
);

const fieldsOfKind: Record<AlertKind, (props: Props) => React.ReactNode> = {
  price: PriceFields,
  change: ChangeFields,
  indicator: IndicatorFields,
  signal: SignalFields,
  spread: SpreadFields,
  funding: FundingFields,
  liquidation: LiquidationFields,
  news: NewsFields,
  formula: FormulaFields,
};

/** The symbol and the fields of the kind. */
export function ConditionFields(props: Props) {
  const { kind } = props.draft;
  const Fields = fieldsOfKind[kind];
  const hasExchange = kind !== 'spread' && kind !== 'news' && kind !== 'liquidation';
  return (
    <>
      {kind !== 'liquidation' && (
        <div className={hasExchange ? 'grid grid-cols-2 gap-3' : ''}>
          <SymbolField {...props} />
          {hasExchange && <ExchangeField {...props} />}
        </div>
      )}
      <Fields {...props} />
    </>
  );
}
