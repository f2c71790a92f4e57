import { defaultSpace } from '@sextant/workers/src/tasks/optimize/space.ts';
import { type VoteId, voteIds } from '@sextant/workers/src/wire/defaults.ts';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useSnapshot } from 'valtio';
import { NumberInput } from '../../../ui/NumberInput.tsx';
import { fractionToPercent, percentToFraction } from '../params.ts';
import { parameters } from './searchDefinitions.ts';
import { type RangeName, rangeNames, searchDraft, type SearchSpace } from './searchState.ts';

interface Range {
  min: number;
  max: number;
}

interface Field {
  name: string;
  /** The product's range, in the unit of the field. */
  whole: Range;
  step: number;
  decimals: number;
  toField: (value: number) => number;
  fromField: (value: number) => number;
}

const same = (value: number): number => value;
const percent = { toField: fractionToPercent, fromField: percentToFraction };
const fieldOf = (name: string, range: Range, step: number, unit: Pick<Field, 'toField' | 'fromField'>): Field => ({
  name,
  whole: { min: unit.toField(range.min), max: unit.toField(range.max) },
  step,
  decimals: step < 0.1 ? 2 : 1,
  ...unit,
});

const plain = { toField: same, fromField: same };
const fields: Record<RangeName, Field> = {
  entryThreshold: fieldOf('Entry threshold', defaultSpace.entryThreshold, 0.01, plain),
  stopLossFraction: fieldOf('Stop loss, %', defaultSpace.stopLossFraction, 0.1, percent),
  takeProfitFraction: fieldOf('Take profit, %', defaultSpace.takeProfitFraction, 0.1, percent),
  callbackFraction: fieldOf('Trail callback, %', defaultSpace.callbackFraction, 0.05, percent),
  stepFraction: fieldOf('Trail step, %', defaultSpace.stepFraction, 0.05, percent),
};

const nameOfVote = (id: VoteId): string => parameters.find((each) => each.id === id)?.name ?? id;

/** Where the sets are drawn from: the product's ranges, or narrower ones. */
export function Ranges() {
  const [isOpen, setOpen] = useState(false);
  const { space } = useSnapshot(searchDraft);
  const changed =
    Object.keys(space).filter((name) => name !== 'weights').length + Object.keys(space.weights ?? {}).length;
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
          Ranges{changed > 0 ? `, ${changed} narrowed` : ''}
        </button>
        {changed > 0 && (
          <button type="button" className="btn btn-ghost btn-small" onClick={() => (searchDraft.space = {})}>
            Whole ranges
          </button>
        )}
      </div>
      {isOpen && (
        <div className="flex flex-col gap-1">
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
        </div>
      )}
    </section>
  );
}

/** The record with this range, or without it. */
function withRange<T extends object>(record: T, name: string, range: Range | undefined): T {
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

function RangeRow({ field, value, onChange }: RowProps) {
  const { name, whole, step, decimals, toField, fromField } = field;
  const shown = value === undefined ? whole : { min: toField(value.min), max: toField(value.max) };
  const take = (next: Range) =>
    onChange(
      next.min === whole.min && next.max === whole.max
        ? undefined
        : { min: fromField(next.min), max: fromField(next.max) },
    );
  const shared = { step, decimals, isSmall: true };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_5rem_5rem] items-center gap-2">
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
