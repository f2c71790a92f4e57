import { RULES_WEIGHT_UNITS } from '@sextant/engine-as/abi/optimize.ts';
import type { StrategyExits } from '@sextant/engine-as/abi/strategy.ts';
import { voteIds as allVoteIds } from '@sextant/engine-as/abi/voteExports.ts';
import { defaultSpace } from '@sextant/workers/src/tasks/optimize/space.ts';
import { type VoteId, voteIds } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useSnapshot } from 'valtio';
import { NumberInput } from '../../../ui/NumberInput.tsx';
import { fractionToPercent, percentToFraction } from '../params.ts';
import { draft } from '../backtestState.ts';
import { voteName } from '../../../format/voteName.ts';
import { type RulesRange, rulesRangesOf } from './rulesRanges.ts';
import { parameters } from './searchDefinitions.ts';
import { type RangeName, rangeNames, searchDraft, type SearchSpace } from './searchState.ts';

export interface Range {
  min: number;
  max: number;
}

export interface Field {
  name: string;
  /** The product's range, in the unit of the field. */
  whole: Range;
  /** Where nothing is set; the whole range when absent. */
  usual?: Range;
  step: number;
  decimals: number;
  toField: (value: number) => number;
  fromField: (value: number) => number;
}

const same = (value: number): number => value;
export const percent = { toField: fractionToPercent, fromField: percentToFraction };
export const fieldOf = (
  name: string,
  range: Range,
  step: number,
  unit: Pick<Field, 'toField' | 'fromField'>,
): Field => ({
  name,
  whole: { min: unit.toField(range.min), max: unit.toField(range.max) },
  step,
  decimals: step < 0.1 ? 2 : 1,
  ...unit,
});

export const plain = { toField: same, fromField: same };
const fields: Record<RangeName, Field> = {
  entryThreshold: fieldOf('Entry threshold', defaultSpace.entryThreshold, 0.01, plain),
  stopLossFraction: fieldOf('Stop loss, %', defaultSpace.stopLossFraction, 0.1, percent),
  takeProfitFraction: fieldOf('Take profit, %', defaultSpace.takeProfitFraction, 0.1, percent),
  callbackFraction: fieldOf('Trail callback, %', defaultSpace.callbackFraction, 0.05, percent),
  stepFraction: fieldOf('Trail step, %', defaultSpace.stepFraction, 0.05, percent),
};

const nameOfVote = (id: VoteId): string => parameters.find((each) => each.id === id)?.name ?? id;

/** How many ranges are set. */
const countSet = ({ weights = {}, ...ranges }: { weights?: object }): number =>
  Object.keys(ranges).length + Object.keys(weights).length;

/** Ranges from which sets are drawn: the default ones, or narrower ones. */
export function Ranges() {
  const { space } = useSnapshot(searchDraft);
  return (
    <RangeList changed={countSet(space)} changedName="narrowed" onReset={() => (searchDraft.space = {})}>
      {rangeNames.map((name) => (
        <RangeRow key={name} field={fields[name]} value={space[name]} onChange={(range) => setRange(name, range)} />
      ))}
      {voteIds.map((id) => (
        <RangeRow
          key={id}
          field={fieldOf(`${nameOfVote(id)}, weight`, defaultSpace.weight, 0.1, plain)}
          value={space.weights?.[id]}
          onChange={(range) => setWeight(id, range)}
        />
      ))}
    </RangeList>
  );
}

/** A name, and the box of each end. */
const rangeColumns = 'grid grid-cols-[minmax(0,1fr)_5rem_5rem] items-center gap-2';

interface ListProps {
  changed: number;
  changedName: string;
  onReset: () => void;
  children: ReactNode;
}

function RangeList({ changed, changedName, onReset, children }: ListProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section aria-label="Ranges of the search" className="flex flex-col gap-2 text-label">
      <div className="flex items-center justify-between gap-2">
        <button
          type="button"
          className="btn btn-ghost btn-small"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronDown size={14} aria-hidden="true" className={isOpen ? 'rotate-180' : ''} />
          Ranges{changed > 0 ? `, ${changed} ${changedName}` : ''}
        </button>
        {changed > 0 && (
          <button type="button" className="btn btn-ghost btn-small" onClick={onReset}>
            Reset ranges
          </button>
        )}
      </div>
      {isOpen && (
        <div className="flex flex-col gap-1">
          {/* The boxes name themselves to a screen reader. */}
          <div aria-hidden="true" className={`${rangeColumns} text-muted`}>
            <span />
            <span>Min</span>
            <span>Max</span>
          </div>
          {children}
        </div>
      )}
    </section>
  );
}

/** The record with this range, or without it. */
export function withRange<T extends object>(record: T, name: string, range: Range | undefined): T {
  const others = Object.entries(record).filter(([each]) => each !== name);
  return Object.fromEntries(range === undefined ? others : [...others, [name, range]]) as T;
}

function setRange(name: RangeName, range: Range | undefined): void {
  searchDraft.space = withRange(searchDraft.space, name, range);
}

function setWeight(id: VoteId, range: Range | undefined): void {
  const weights = withRange(searchDraft.space.weights ?? {}, id, range);
  const rest: SearchSpace = { ...searchDraft.space };
  delete rest.weights;
  searchDraft.space = Object.keys(weights).length === 0 ? rest : { ...rest, weights };
}

interface RowProps {
  field: Field;
  /** Undefined: the product's range. */
  value: Range | undefined;
  onChange: (range: Range | undefined) => void;
}

export function RangeRow({ field, value, onChange }: RowProps) {
  const { name, whole, step, decimals, toField, fromField } = field;
  const { usual = whole } = field;
  const shown = value === undefined ? usual : { min: toField(value.min), max: toField(value.max) };
  const take = (next: Range) =>
    onChange(
      next.min === usual.min && next.max === usual.max
        ? undefined
        : { min: fromField(next.min), max: fromField(next.max) },
    );
  const shared = { step, decimals, isSmall: true };
  return (
    <div className={rangeColumns}>
      <span className="truncate text-muted">{name}</span>
      <NumberInput
        {...shared}
        aria-label={`${name}, least`}
        value={shown.min}
        min={whole.min}
        max={shown.max}
        onChange={(min) => take({ ...shown, min })}
      />
      <NumberInput
        {...shared}
        aria-label={`${name}, most`}
        value={shown.max}
        min={shown.min}
        max={whole.max}
        onChange={(max) => take({ ...shown, max })}
      />
    </div>
  );
}

const unitFields = {
  number: { toField: same, fromField: same, suffix: '' },
  percent: { ...percent, suffix: ', %' },
  atr: { toField: same, fromField: same, suffix: ', ATR' },
};
const rulesRangeTitles = {
  weight: 'Weight of every vote',
  entryThreshold: 'Entry threshold',
  stop: 'Stop',
  target: 'Target',
  trailingDistance: 'Trailing distance',
};
const stepOf = ({ of, unit }: RulesRange): number => {
  if (of === 'weight') return 1 / RULES_WEIGHT_UNITS;
  if (unit === 'percent') return of === 'trailingDistance' ? 0.05 : 0.1;
  return unit === 'atr' ? 0.1 : 0.01;
};
/** Sliders of rules reach as far. */
const WEIGHTS: Range = { min: -2, max: 2 };

function rulesField(range: RulesRange): Field {
  const { toField, fromField, suffix } = unitFields[range.unit];
  const { min, max } = range.usual;
  const usual = { min: toField(min), max: toField(max) };
  const name = `${rulesRangeTitles[range.of]}${suffix}`;
  const field = fieldOf(name, range.of === 'weight' ? WEIGHTS : range.usual, stepOf(range), { toField, fromField });
  return { ...field, usual };
}

/** The same for the rules on the sliders; a weight below 0 turns the vote round. */
export function RulesRangesList() {
  const { rulesSpace } = useSnapshot(searchDraft);
  const { exits } = useSnapshot(draft).live;
  const usualWeight = rulesSpace.weight ?? { min: 0, max: 2 };
  return (
    <RangeList changed={countSet(rulesSpace)} changedName="set" onReset={() => (searchDraft.rulesSpace = {})}>
      {rulesRangesOf(exits as StrategyExits).map((range) => (
        <RangeRow
          key={range.name}
          field={rulesField(range)}
          value={rulesSpace[range.name]}
          onChange={(next) => (searchDraft.rulesSpace = withRange(searchDraft.rulesSpace, range.name, next))}
        />
      ))}
      {allVoteIds.map((id) => (
        <RangeRow
          key={id}
          field={{ ...fieldOf(`${voteName(id)}, weight`, WEIGHTS, 1 / RULES_WEIGHT_UNITS, plain), usual: usualWeight }}
          value={rulesSpace.weights?.[id]}
          onChange={(next) => setRulesWeight(id, next)}
        />
      ))}
    </RangeList>
  );
}

function setRulesWeight(id: string, range: Range | undefined): void {
  const weights = withRange(searchDraft.rulesSpace.weights ?? {}, id, range);
  searchDraft.rulesSpace = withRange(searchDraft.rulesSpace, 'weights', undefined);
  if (Object.keys(weights).length > 0) searchDraft.rulesSpace.weights = weights;
}
