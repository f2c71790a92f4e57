import { type ParameterBounds, runParameters } from '@sextant/engine-as/abi/runParameters.ts';
import { trailBounds } from '@sextant/workers/src/rules/exits.ts';
import type { RuleProblem } from '@sextant/workers/src/rules/problems.ts';
import type { ReactNode } from 'react';
import { exitPeriod, type ExitRows as Exits, type Level, type Trail, withLevelUnit, withPeriod } from './exits.ts';
import { type Changed, ValueField } from './fields.tsx';
import { ProblemNotes } from './ProblemNotes.tsx';
import type { Known } from './ranges.ts';

interface Props {
  rules: Exits;
  problems: Partial<Record<keyof Exits, RuleProblem[]>>;
  /** Else they are warnings. */
  isError: boolean;
  known: Known;
  onChange: Changed<Exits>;
}

/** Exits and size: a row for each statement that a text may have once. */
export function ExitRows({ rules, problems, isError, known, onChange }: Props) {
  const notes = (key: keyof Exits): ReactNode => <ProblemNotes problems={problems[key] ?? []} isError={isError} />;
  const shared = { period: exitPeriod(rules), known };
  return (
    <section aria-label="Exits" className="flex flex-col gap-2 border-t border-line pt-2">
      <LevelRow
        {...shared}
        id="stop"
        title="Stop"
        none="Standard, 2 ATR"
        units={['atr', '%']}
        level={rules.stop}
        rangeMax={mostBeside('target', rules)}
        onChange={(stop, definition) => onChange({ stop }, definition)}
      />
      {notes('stop')}
      <LevelRow
        {...shared}
        id="target"
        title="Target"
        none="Standard, 4 ATR"
        units={['R', 'atr', '%']}
        level={rules.target}
        rangeMax={mostBeside('stop', rules)}
        onChange={(target, definition) => onChange({ target }, definition)}
      />
      {notes('target')}
      <LevelRow
        {...shared}
        id="trail"
        title="Trailing stop"
        none="Off"
        units={['atr', '%']}
        level={rules.trail}
        onChange={(trail, definition) => onChange({ trail }, definition)}
      />
      {notes('trail')}
      {rules.trail !== undefined && (
        <TrailRows
          trail={rules.trail}
          known={known}
          onChange={(trail, definition) => onChange({ trail }, definition)}
        />
      )}
      {shared.period !== undefined && (
        <Line title="ATR period">
          <ValueField
            label="ATR period"
            value={shared.period}
            bounds={fieldOf(runParameters.atrPeriod)}
            known={known}
            rangeName="atr_period"
            onChange={(period, definition) => onChange(withPeriod(rules, period), definition)}
          />
        </Line>
      )}
      <ChoiceRow
        title="Break even"
        none="Off"
        some="After a gain"
        value={rules.breakEven}
        start="1"
        bounds={{ ...fieldOf(runParameters.breakEvenR), min: 0.1, unit: 'R' }}
        known={known}
        rangeName="break_even_after"
        onChange={(breakEven, definition) => onChange({ breakEven }, definition)}
      />
      {notes('breakEven')}
      <ChoiceRow
        title="Longest hold"
        none="No limit"
        some="Candles"
        value={rules.hold}
        start="24"
        bounds={{ ...fieldOf(runParameters.holdingBarsMax), min: 1 }}
        known={known}
        rangeName="hold_candles"
        onChange={(hold, definition) => onChange({ hold }, definition)}
      />
      {notes('hold')}
      <OppositeRow {...rules} onChange={onChange} />
      {notes('opposite')}
      <SizeRow {...rules} known={known} onChange={onChange} />
      {notes('size')}
    </section>
  );
}

/** Bounds of a field that shows a number of a run. @param scale 100 for a fraction in percent */
function fieldOf({ min, max, isOpen, isInteger }: ParameterBounds, scale = 1) {
  if (isInteger === true) return { min, max, step: 1, decimals: 0 };
  // An open end starts at the least that the field shows.
  return { min: isOpen === true ? 0.01 : min * scale, max: max * scale, step: 0.1, decimals: 4 };
}

/** Name and values of an exit. */
function Line({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6rem_minmax(0,1fr)] items-center gap-2">
      <span className="text-label">{title}</span>
      {children}
    </div>
  );
}

const pair = 'grid grid-cols-2 items-start gap-1.5';
const unitNames = { atr: 'ATR', '%': 'Percent', R: 'Times the stop' };
const NONE = 'none';

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

function LevelRow<T extends Level>({
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
function mostBeside(other: 'stop' | 'target', { stop, target }: Exits): number {
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

function TrailRows({ trail, known, onChange }: TrailProps) {
  return (
    <>
      <Line title="After a gain of">
        <ValueField
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

interface ChoiceProps {
  title: string;
  /** The choice of no statement, and that of one. */
  none: string;
  some: string;
  value: string | undefined;
  start: string;
  bounds: { min: number; max: number; step: number; decimals: number; unit?: string };
  known: Known;
  rangeName: string;
  onChange: Changed<string | undefined>;
}

function ChoiceRow({ title, none, some, value, start, onChange, ...field }: ChoiceProps) {
  return (
    <Line title={title}>
      <span className={pair}>
        <select
          className="input input-small"
          aria-label={title}
          value={value === undefined ? NONE : some}
          onChange={(event) => onChange(event.target.value === NONE ? undefined : start)}
        >
          <option value={NONE}>{none}</option>
          <option value={some}>{some}</option>
        </select>
        {value !== undefined && <ValueField {...field} label={`${title}, value`} value={value} onChange={onChange} />}
      </span>
    </Line>
  );
}

const oppositeNames = { hold: 'Hold the position', exit: 'Exit', reverse: 'Reverse' };
const oppositeActions = ['hold', 'exit', 'reverse'] as const;

function OppositeRow({ opposite, onChange }: Pick<Exits, 'opposite'> & Pick<Props, 'onChange'>) {
  return (
    <Line title="On opposite signal">
      <select
        className="input input-small"
        aria-label="On opposite signal"
        value={opposite ?? 'hold'}
        onChange={(event) => {
          const action = oppositeActions.find((each) => each === event.target.value);
          onChange({ opposite: action === 'hold' ? undefined : action });
        }}
      >
        {oppositeActions.map((action) => (
          <option key={action} value={action}>
            {oppositeNames[action]}
          </option>
        ))}
      </select>
    </Line>
  );
}

const STANDARD_RISK = String(100 * runParameters.riskFraction.default);

function SizeRow({ size, known, onChange }: Pick<Exits, 'size'> & Pick<Props, 'known' | 'onChange'>) {
  return (
    <Line title="Size by">
      <span className={pair}>
        <select
          className="input input-small"
          aria-label="Size by"
          value={size?.by ?? 'risk'}
          onChange={(event) =>
            onChange({ size: event.target.value === 'fixed' ? { by: 'fixed' } : { by: 'risk', share: STANDARD_RISK } })
          }
        >
          <option value="risk">Risk per trade</option>
          <option value="fixed">Whole notional</option>
        </select>
        {size?.by !== 'fixed' && (
          <ValueField
            label="Risk per trade"
            value={size?.share ?? STANDARD_RISK}
            bounds={{ ...fieldOf(runParameters.riskFraction, 100), unit: '%' }}
            known={known}
            rangeName="risk_share"
            onChange={(share, definition) => onChange({ size: { by: 'risk', share } }, definition)}
          />
        )}
      </span>
    </Line>
  );
}
