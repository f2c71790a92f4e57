import { runParameters } from '@sextant/engine-as/abi/runParameters.ts';
import type { ReactNode } from 'react';
import { exitPeriod, type ExitRows as Exits, withPeriod } from './exits.ts';
import { type Changed, ValueField, type ValueProps } from './fields.tsx';
import { fieldOf, LevelRow, Line, mostBeside, NONE, pair, TrailRows } from './LevelRows.tsx';
import { ProblemFields, ProblemNotes, useFieldState } from './ProblemNotes.tsx';
import type { Known } from './ranges.ts';
import type { RowProblem } from './rowProblems.ts';

interface Props {
  rules: Exits;
  problems: Partial<Record<keyof Exits, RowProblem[]>>;
  /** Else they are warnings. */
  isError: boolean;
  known: Known;
  onChange: Changed<Exits>;
}

/** Exits and size: a row for each statement that a text may have once. */
export function ExitRows({ rules, problems, isError, known, onChange }: Props) {
  const notes = (key: keyof Exits): ReactNode => <ProblemNotes problems={problems[key] ?? []} />;
  const shared = { period: exitPeriod(rules), known };
  return (
    <ProblemFields problems={Object.values(problems).flat()} isError={isError}>
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
        {rules.trail !== undefined && (
          <TrailRows
            trail={rules.trail}
            known={known}
            onChange={(trail, definition) => onChange({ trail }, definition)}
          />
        )}
        {notes('trail')}
        {shared.period !== undefined && (
          <Line title="ATR period">
            <ValueField
              fields={['stop period', 'target period', 'trail period']}
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
          fields={['breakEven']}
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
          fields={['hold']}
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
    </ProblemFields>
  );
}

interface ChoiceProps extends Pick<ValueProps, 'fields' | 'bounds' | 'known' | 'rangeName'> {
  title: string;
  /** The choice of no statement, and that of one. */
  none: string;
  some: string;
  value: string | undefined;
  start: string;
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
        {...useFieldState(['opposite'])}
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
          {...useFieldState(size?.by === 'fixed' ? ['size'] : [])}
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
            fields={['size']}
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
