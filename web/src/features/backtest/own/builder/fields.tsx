import { indicatorEntry, registry } from '@sextant/engine-as/abi/registry.ts';
import { ruleSeries } from '@sextant/workers/src/rules/vocabulary.ts';
import { NumberInput } from '../../../../ui/NumberInput.tsx';
import { type Level, newIndicator, type Operand, withBack } from './builder.ts';

/** Name and value of an exit. */
export const exitLine = 'grid grid-cols-[6rem_minmax(0,1fr)] items-center gap-2';

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
  label,
  operand,
  names,
  onChange,
}: {
  label: string;
  operand: Operand;
  names: readonly string[];
  onChange: (operand: Operand) => void;
}) {
  return (
    <div className="flex flex-col gap-1.5">
      <select
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
          label={`${label}, value`}
          value={operand.value}
          bounds={{ min: -1e9, max: 1e9, step: 1, decimals: 6 }}
          onChange={(value) => onChange({ kind: 'number', value })}
        />
      )}
      {operand.kind === 'indicator' && operand.values.length > 0 && (
        <div className="grid grid-cols-2 gap-1.5">
          {(indicatorEntry(operand.id)?.parameters ?? []).map(({ name, title, min, max, isInteger }, i) => (
            <label key={name} className="flex min-w-0 flex-col gap-0.5 text-label text-muted">
              <span className="truncate">{title}</span>
              <ValueField
                label={`${label}, ${title}`}
                value={operand.values[i] ?? ''}
                bounds={{ min, max, step: isInteger ? 1 : 0.1, decimals: isInteger ? 0 : 4 }}
                onChange={(value) => onChange({ ...operand, values: operand.values.with(i, value) })}
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
              label={`${label}, candles ago`}
              value={backOf(operand)}
              bounds={{ min: 0, max: CANDLES_AGO_MAX, step: 1, decimals: 0 }}
              onChange={(back) => onChange(withBack(operand, back))}
            />
          </span>
        </label>
      )}
    </div>
  );
}

/** Candles ago as text. */
const backOf = (operand: Operand): string => (operand.kind === 'number' ? '0' : (operand.back ?? '0'));

interface ValueProps {
  label: string;
  value: string;
  bounds: { min: number; max: number; step: number; decimals: number; unit?: string };
  onChange: (value: string) => void;
}

/** A number, or the name of a parameter, which its own slider moves. */
export function ValueField({ label, value, bounds, onChange }: ValueProps) {
  const number = Number(value);
  if (Number.isFinite(number))
    return (
      <NumberInput {...bounds} isSmall aria-label={label} value={number} onChange={(next) => onChange(String(next))} />
    );
  return (
    <span className="flex h-6.5 items-center justify-between gap-1 font-mono text-label text-text">
      {value}
      <button
        type="button"
        className="btn btn-ghost btn-small font-sans"
        aria-label={`${label}: use a number`}
        onClick={() => onChange(String(Math.max(bounds.min, Math.min(bounds.max, 10))))}
      >
        Use a number
      </button>
    </span>
  );
}

export const stopUnits = ['atr', '%'] as const;
export const targetUnits = ['R', 'atr', '%'] as const;
const unitNames = { atr: 'ATR', '%': 'Percent', R: 'Times the stop' };
const starts: Record<Level['unit'], Level> = {
  atr: { unit: 'atr', amount: '2', period: '14' },
  '%': { unit: '%', amount: '2' },
  R: { unit: 'R', amount: '3' },
};

interface LevelProps {
  title: string;
  units: readonly Level['unit'][];
  level: Level | undefined;
  onChange: (level: Level | undefined) => void;
}

const STANDARD = 'standard';

export function LevelRow({ title, units, level, onChange }: LevelProps) {
  return (
    <div className={exitLine}>
      <span className="text-label">{title}</span>
      <span className="grid grid-cols-2 gap-1.5">
        <select
          className="input input-small"
          aria-label={`${title} by`}
          value={level?.unit ?? STANDARD}
          onChange={(event) => {
            const unit = units.find((each) => each === event.target.value);
            onChange(unit === undefined ? undefined : starts[unit]);
          }}
        >
          <option value={STANDARD}>{title === 'Stop' ? 'Standard, 2 ATR' : 'Standard, 4 ATR'}</option>
          {units.map((unit) => (
            <option key={unit} value={unit}>
              {unitNames[unit]}
            </option>
          ))}
        </select>
        {level !== undefined && (
          <ValueField
            label={`${title}, distance`}
            value={level.amount}
            bounds={{ min: 0.1, max: level.unit === '%' ? 50 : 100, step: 0.1, decimals: 2 }}
            onChange={(amount) => onChange({ ...level, amount })}
          />
        )}
      </span>
    </div>
  );
}
