import { type ParameterBounds, runParameters } from '@sextant/engine-as/abi/runParameters.ts';
import { trailBounds } from '@sextant/workers/src/rules/exits.ts';
import type { ReactNode } from 'react';
import { type ExitRows as Exits, type Level, type Trail, withLevelUnit } from './exits.ts';
import { type Changed, ValueField } from './fields.tsx';
import type { Known } from './ranges.ts';

/** Bounds of a field that shows a number of a run. @param scale 100 for a fraction in percent */
export function fieldOf({ min, max, isOpen, isInteger }: ParameterBounds, scale = 1) {
  if (isInteger === true) return { min, max, step: 1, decimals: 0 };
  // An open end starts at the least that the field shows.
  return { min: isOpen === true ? 0.01 : min * scale, max: max * scale, step: 0.1, decimals: 4 };
}

/** Name and values of an exit. */
export function Line({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6rem_minmax(0,1fr)] items-center gap-2">
      <span className="text-label">{title}</span>
      {children}
    </div>
  );
}

/** A choice and its value. */
export const pair = 'grid grid-cols-2 items-start gap-1.5';
const unitNames = { atr: 'ATR', '%': 'Percent', R: 'Times the stop' };
/** The choice of no statement. */
export const NONE = 'none';

/** Start of an exit in another unit. */
const startAmounts: Record<Level['unit'], string> = { atr: '2', '%': '2', R: '3' };

interface LevelProps<T extends Level> {
  id: 'stop' | 'target' | 'trail';
  title: string;
  /** The choice of no statement. */
  none: string;
  units: readonly Level['unit'][];
  level: T | undefined;
  /** Period of the average true range of the exits. */
  period: string | undefined;
  /** Greatest value of a new range; by default that of the field. */
  rangeMax?: number;
  known: Known;
  onChange: Changed<(Level & Omit<T, keyof Level>) | undefined>;
}

export function LevelRow<T extends Level>({
  id,
  title,
  none,
  units,
  level,
  period,
  rangeMax = Infinity,
  known,
  onChange,
}: LevelProps<T>) {
  const bounds = level && levelBounds(id, level.unit);
  return (
    <Line title={title}>
      <span className={pair}>
        <select
          className="input input-small"
          aria-label={`${title} by`}
          value={level?.unit ?? NONE}
          onChange={(event) => {
            const unit = units.find((each) => each === event.target.value);
            onChange(unit && withLevelUnit(level, unit, startAmounts[unit], period));
          }}
        >
          <option value={NONE}>{none}</option>
          {units.map((unit) => (
            <option key={unit} value={unit}>
              {unitNames[unit]}
            </option>
          ))}
        </select>
        {level !== undefined && bounds !== undefined && (
          <ValueField
            key={level.unit}
            fields={[id]}
            label={`${title}, distance`}
            value={level.amount}
            bounds={bounds}
            rangeRoom={{ ...bounds, max: Math.min(bounds.max, rangeMax) }}
            known={known}
            rangeName={`${id}_distance`}
            onChange={(amount, definition) => onChange({ ...level, amount }, definition)}
          />
        )}
      </span>
    </Line>
  );
}

/** Greatest distance of a level by its unit, as `levelBounds` has it. */
const greatest = (unit: Level['unit']): number => levelBounds('stop', unit).max;

/** Most that a stop, or a target in R, may be beside the other one: their product is at most the greatest distance of a level. */
export function mostBeside(other: 'stop' | 'target', { stop, target }: Exits): number {
  const amount = Number((other === 'stop' ? stop : target)?.amount);
  return target?.unit === 'R' && stop !== undefined && amount > 0 ? greatest(stop.unit) / amount : Infinity;
}

function levelBounds(id: keyof Exits, unit: Level['unit']) {
  if (unit === '%') return fieldOf(id === 'trail' ? trailBounds.distance : runParameters.stopFraction, 100);
  return fieldOf(unit === 'R' ? { min: 0.1, max: 100 } : runParameters.stopMultiple);
}

interface TrailProps {
  trail: Trail;
  known: Known;
  onChange: Changed<Trail>;
}

/** 0 is left out of the text. */
const withPart = (trail: Trail, part: 'step' | 'after', value: string): Trail => {
  const { [part]: _, ...rest } = trail;
  return value === '0' ? rest : { ...rest, [part]: value };
};

export function TrailRows({ trail, known, onChange }: TrailProps) {
  return (
    <>
      <Line title="After a gain of">
        <ValueField
          fields={['trail after']}
          known={known}
          label="Trailing stop, after a gain of"
          value={trail.after ?? '0'}
          bounds={{ ...fieldOf(trailBounds.after, 100), unit: '%' }}
          rangeName="trail_after"
          onChange={(value, definition) => onChange(withPart(trail, 'after', value), definition)}
        />
      </Line>
      <Line title="In steps of">
        <ValueField
          fields={['trail step']}
          known={known}
          label="Trailing stop, in steps of"
          value={trail.step ?? '0'}
          bounds={{ ...fieldOf(trailBounds.step, 100), unit: '%' }}
          rangeName="trail_step"
          onChange={(value, definition) => onChange(withPart(trail, 'step', value), definition)}
        />
      </Line>
    </>
  );
}
