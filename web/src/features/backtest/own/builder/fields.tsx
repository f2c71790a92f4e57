import { indicatorEntry, registry } from '@sextant/engine-as/abi/registry.ts';
import { ruleSeries, takesSource } from '@sextant/workers/src/rules/vocabulary.ts';
import { useId, useState } from 'react';
import { NumberInput } from '../../../../ui/NumberInput.tsx';
import { newIndicator, type Operand, withBack } from './builder.ts';
import { levelRoom, type Room, type Scales } from './levels.ts';
import { useFieldState } from './ProblemNotes.tsx';
import { boundsInOrder, fitsField, type Known, newRange } from './ranges.ts';

/** The look-back that a text may have in all. */
const CANDLES_AGO_MAX = 5000;
const NUMBER = '#';
const isListed = (name: string): boolean => ruleSeries.some((each) => each.name === name);

/** Value of an operand in the list: `#`, `close`, `macd.signal`. */
function idOf(operand: Operand): string {
  if (operand.kind === 'number') return NUMBER;
  if (operand.kind === 'name') return operand.name;
  const first = indicatorEntry(operand.id)?.outputs[0]?.name ?? '';
  return `${operand.id}.${operand.output ?? first}`;
}

function operandOf(id: string): Operand {
  if (id === NUMBER) return { kind: 'number', value: '30' };
  const [name = '', output] = id.split('.');
  const entry = output === undefined ? undefined : indicatorEntry(name);
  if (entry === undefined) return { kind: 'name', name };
  // The first output needs no name.
  return newIndicator(name, entry.outputs[0]?.name === output ? undefined : output);
}

export function OperandFields({
  field,
  label,
  operand,
  beside,
  known,
  scales,
  onChange,
}: {
  /** Name of the side in `RowProblem`. */
  field: string;
  label: string;
  operand: Operand;
  /** The other side of the comparison. */
  beside: Operand;
  known: Known;
  scales: Scales;
  onChange: Changed<Operand>;
}) {
  const { names } = known;
  // The field of a number is that of its value.
  const state = useFieldState(operand.kind === 'number' ? [] : [field]);
  const room = levelRoom(operand.kind === 'number' ? Number(operand.value) : 0, beside, scales);
  return (
    <div className="flex flex-col gap-1.5">
      <select
        {...state}
        className="input"
        aria-label={label}
        value={idOf(operand)}
        onChange={(event) => onChange(withBack(operandOf(event.target.value), backOf(operand)))}
      >
        <option value={NUMBER}>Number</option>
        <optgroup label="Series">
          {ruleSeries.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </optgroup>
        {names.some((name) => !isListed(name)) && (
          <optgroup label="Your names">
            {names.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
        <optgroup label="Indicators">
          {registry.flatMap(({ id, title, outputs }) =>
            outputs.map((output) => (
              <option key={`${id}.${output.name}`} value={`${id}.${output.name}`}>
                {outputs.length > 1 ? `${title}, ${output.name}` : title}
              </option>
            )),
          )}
        </optgroup>
      </select>
      {operand.kind === 'number' && (
        <ValueField
          fields={[field]}
          label={`${label}, value`}
          value={operand.value}
          bounds={{ min: -1e9, max: 1e9, step: room.step, decimals: 6 }}
          rangeRoom={room}
          known={known}
          rangeName="level"
          onChange={(value, definition) => onChange({ kind: 'number', value }, definition)}
        />
      )}
      {operand.kind === 'indicator' && isOfSource(operand.id) && (
        <SourceField
          field={field}
          label={label}
          source={operand.source}
          onChange={(source) => onChange({ ...operand, source })}
        />
      )}
      {operand.kind === 'indicator' && operand.values.length > 0 && (
        <div className="grid grid-cols-2 gap-1.5">
          {(indicatorEntry(operand.id)?.parameters ?? []).map(({ name, title, min, max, isInteger }, i) => (
            <label key={`${operand.id} ${name}`} className="flex min-w-0 flex-col gap-0.5 text-label text-muted">
              <span className="truncate">{title}</span>
              <ValueField
                fields={[`${field} ${i}`]}
                label={`${label}, ${title}`}
                value={operand.values[i] ?? ''}
                bounds={{ min, max, step: isInteger ? 1 : 0.1, decimals: isInteger ? 0 : 4 }}
                inOrder={boundsInOrder(operand.id, operand.values, i, known.parameters)}
                known={known}
                rangeName={`${operand.id}_${name}`}
                onChange={(value, definition) =>
                  onChange({ ...operand, values: operand.values.with(i, value) }, definition)
                }
              />
            </label>
          ))}
        </div>
      )}
      {operand.kind !== 'number' && (
        <label className="flex items-center justify-between gap-2 text-label text-muted">
          Candles ago
          <span className="w-20">
            <ValueField
              fields={[`${field} back`]}
              label={`${label}, candles ago`}
              value={backOf(operand)}
              bounds={{ min: 0, max: CANDLES_AGO_MAX, step: 1, decimals: 0 }}
              known={known}
              onChange={(back) => onChange(withBack(operand, back))}
            />
          </span>
        </label>
      )}
    </div>
  );
}

interface SourceProps {
  field: string;
  label: string;
  source: string | undefined;
  onChange: (source: string) => void;
}

function SourceField({ field, label, source = 'close', onChange }: SourceProps) {
  return (
    <label className="flex items-center justify-between gap-2 text-label text-muted">
      Of
      <select
        {...useFieldState([`${field} of`])}
        className="input input-small w-auto min-w-0"
        aria-label={`${label}, of`}
        value={source}
        onChange={(event) => onChange(event.target.value)}
      >
        {ruleSeries.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

const isOfSource = (id: string): boolean => {
  const entry = indicatorEntry(id);
  return entry !== undefined && takesSource(entry);
};

/** Candles ago as text. */
const backOf = (operand: Operand): string => (operand.kind === 'number' ? '0' : (operand.back ?? '0'));

/** A change of a part, and the line of a name that it needs. */
export type Changed<T> = (value: T, definition?: string) => void;

export interface ValueProps {
  /** Its names in `RowProblem`. */
  fields: readonly string[];
  label: string;
  /** A number, or the name of a parameter. */
  value: string;
  bounds: { min: number; max: number; step: number; decimals: number; unit?: string };
  /** Bounds of every value of a range, where the other values of the indicator narrow them. */
  inOrder?: { min: number; max: number };
  /** Bounds of a new range, where they differ from the field's. */
  rangeRoom?: Room;
  known: Known;
  /** Name of a new range; absent: the field takes none. */
  rangeName?: string;
  onChange: Changed<string>;
}

const NEW_RANGE = '+';

/** A number, or the name of a parameter, which its own slider moves and a search varies. */
export function ValueField(props: ValueProps) {
  const { fields, label, value, bounds, onChange } = props;
  const id = useId();
  const [note, setNote] = useState<string>();
  const number = Number(value);
  const isNumber = Number.isFinite(number);
  const state = useFieldState(fields, isNumber && note !== undefined ? id : undefined);
  const choice = choiceOf(props);
  return (
    <span
      className={`grid items-center gap-1 ${isNumber && choice !== undefined ? 'grid-cols-[minmax(0,1fr)_1.75rem]' : 'grid-cols-1'}`}
    >
      {isNumber && (
        <NumberInput
          {...bounds}
          {...state}
          isSmall
          aria-label={label}
          value={number}
          onError={setNote}
          onChange={(next) => onChange(String(next))}
        />
      )}
      {choice !== undefined && (
        <select
          {...(isNumber ? {} : state)}
          className={`input input-small ${isNumber ? 'text-transparent' : 'min-w-0 font-mono'}`}
          aria-label={`${label}: number or range`}
          title="Number or range"
          value={isNumber ? NUMBER : value}
          onChange={(event) => {
            setNote(undefined);
            choice.choose(event.target.value);
          }}
        >
          <option value={NUMBER}>Number</option>
          {choice.names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
          {choice.hasRange && <option value={NEW_RANGE}>New range</option>}
        </select>
      )}
      {isNumber && note !== undefined && (
        <span id={id} className="col-span-full text-label text-down">
          {note}
        </span>
      )}
    </span>
  );
}

/** Names that a field takes in place of its number, and whether a new range is one; undefined where there is nothing to choose. */
function choiceOf({ value, bounds, inOrder, rangeRoom, known, rangeName, onChange }: ValueProps) {
  const room = { ...bounds, ...inOrder };
  const offered = known.parameters.filter((each) => fitsField(each, room)).map(({ name }) => name);
  const number = Number(value);
  const isNumber = Number.isFinite(number);
  const range = rangeName === undefined ? undefined : newRange(rangeName, number, rangeRoom ?? room, known);
  const hasChoice = !isNumber || range !== undefined || (rangeName !== undefined && offered.length > 0);
  if (!hasChoice) return undefined;
  const choose = (chosen: string) => {
    if (chosen === NEW_RANGE && range !== undefined) onChange(range.name, range.definition);
    else if (chosen === NUMBER) {
      const last = known.parameters.find((each) => each.name === value)?.value ?? bounds.min;
      onChange(String(Math.max(bounds.min, Math.min(bounds.max, last))));
    } else onChange(chosen);
  };
  return {
    names: isNumber || offered.includes(value) ? offered : [value, ...offered],
    hasRange: range !== undefined,
    choose,
  };
}
