import { intervalMs, type IntervalName, intervals } from '@sextant/engine-as/abi/intervals.ts';
import { type ConditionKind, conditionKinds } from '@sextant/workers/src/rules/syntax.ts';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Notice } from '../../../../ui/Notice.tsx';
import { Segments } from '../../../../ui/Segments.tsx';
import type { CheckedRules } from '../ownRules.ts';
import {
  type BuilderRules,
  changedText,
  definedName,
  type Group,
  newRow,
  readBuilder,
  type Row,
  type RowSign,
  rowSigns,
  withInterval,
  withSign,
} from './builder.ts';
import { ExitRows } from './ExitRows.tsx';
import { type Changed, OperandFields } from './fields.tsx';
import type { Scales } from './levels.ts';
import { ProblemFields, ProblemNotes, useFieldState } from './ProblemNotes.tsx';
import type { Known } from './ranges.ts';
import { type RowProblem, rowProblems } from './rowProblems.ts';

interface Props {
  text: string;
  /** Interval of the candles that decide. */
  interval: IntervalName;
  /** The text, compiled. */
  checked: CheckedRules;
  scales: Scales;
  onChange: (text: string) => void;
  onShowText: () => void;
}

/** Rules by clicks: rows of the text, which every change writes. */
export function Builder({ text, interval, checked, scales, onChange, onShowText }: Props) {
  const read = readBuilder(text);
  if (!read.ok)
    return (
      <Notice
        tone="info"
        action={
          <button type="button" className="btn btn-small" onClick={onShowText}>
            Show text
          </button>
        }
      >
        {read.error}
      </Notice>
    );
  const rules = read.value;
  const change = (part: Partial<BuilderRules>, definition?: string) => onChange(changedText(rules, part, definition));
  const names = rules.definitions.map(definedName);
  const known = { names, parameters: rules.parameters };
  const problems = rowProblems(text, checked.ok ? checked.value.warnings : checked.error);
  return (
    <div data-testid="rule-builder" className="flex flex-col gap-3">
      {conditionKinds.map((kind) => (
        <GroupRows
          key={kind}
          title={groupTitles[kind]}
          group={rules.groups[kind]}
          problems={problems.rows[kind] ?? []}
          isError={!checked.ok}
          known={known}
          scales={scales}
          interval={interval}
          onChange={(group, definition) => change({ groups: withGroup(rules.groups, kind, group) }, definition)}
        />
      ))}
      <ExitRows rules={rules} problems={problems.exits} isError={!checked.ok} known={known} onChange={change} />
      {rules.definitions.length > 0 && (
        <p className="text-label text-muted">
          Stays as text: <code className="font-mono">{rules.definitions.join('; ')}</code>
        </p>
      )}
    </div>
  );
}

const groupTitles: Record<ConditionKind, string> = {
  long: 'Long when',
  short: 'Short when',
  exitLong: 'Exit long when',
  exitShort: 'Exit short when',
};

function withGroup(
  groups: BuilderRules['groups'],
  kind: ConditionKind,
  group: Group | undefined,
): BuilderRules['groups'] {
  const { [kind]: _, ...rest } = groups;
  return group === undefined ? rest : { ...rest, [kind]: group };
}

interface GroupProps {
  title: string;
  group: Group | undefined;
  /** By row. */
  problems: readonly (readonly RowProblem[])[];
  /** Else they are warnings. */
  isError: boolean;
  known: Known;
  scales: Scales;
  interval: IntervalName;
  onChange: Changed<Group | undefined>;
}

const joins = ['and', 'or'] as const;
const joinNames = { and: 'All hold', or: 'One holds' };

function GroupRows({ title, group = { join: 'and', rows: [] }, problems, onChange, ...shared }: GroupProps) {
  const { join, rows } = group;
  // Rows have no identity of their own: after a removal no row takes over what a field of another one said.
  const [removals, setRemovals] = useState(0);
  const setRows = (next: Row[], definition?: string) =>
    onChange(next.length === 0 ? undefined : { join, rows: next }, definition);
  return (
    <section aria-label={title} className="flex flex-col gap-2 border-t border-line pt-2">
      <div className="flex min-h-7 items-center justify-between gap-2">
        <h3 className="font-medium">{title}</h3>
        {rows.length > 1 && (
          <Segments
            isSmall
            isFitted
            label={`${title}: conditions`}
            options={joins}
            value={join}
            nameOf={(each) => joinNames[each]}
            onSelect={(next) => onChange({ join: next, rows })}
          />
        )}
      </div>
      {rows.map((row, i) => (
        <RowFields
          key={`${removals} ${i}`}
          label={`${title}, condition ${i + 1}`}
          row={row}
          problems={problems[i] ?? []}
          {...shared}
          onChange={(next, definition) => setRows(rows.with(i, next), definition)}
          onRemove={() => {
            setRemovals(removals + 1);
            setRows(rows.toSpliced(i, 1));
          }}
        />
      ))}
      <button
        type="button"
        className="btn btn-small self-start"
        aria-label={`Add condition: ${title}`}
        onClick={() => setRows([...rows, newRow()])}
      >
        <Plus size={12} aria-hidden="true" /> Add condition
      </button>
    </section>
  );
}

const signNames: Record<RowSign, string> = {
  '>': 'is above',
  '<': 'is below',
  '>=': 'is at least',
  '<=': 'is at most',
  '==': 'equals',
  '!=': 'differs from',
  in: 'is between',
  crossover: 'crosses above',
  crossunder: 'crosses below',
};

interface RowProps extends Pick<GroupProps, 'isError' | 'known' | 'scales' | 'interval'> {
  label: string;
  row: Row;
  problems: readonly RowProblem[];
  onChange: Changed<Row>;
  onRemove: () => void;
}

function RowFields({ label, row, problems, isError, known, scales, interval, onChange, onRemove }: RowProps) {
  const shared = { known, scales };
  return (
    <ProblemFields problems={problems} isError={isError}>
      <fieldset className="flex flex-col gap-1.5 rounded border border-line p-2">
        <legend className="sr-only">{label}</legend>
        <OperandFields
          {...shared}
          field="left"
          label={`${label}, left`}
          operand={row.left}
          beside={row.right}
          onChange={(left, definition) => onChange({ ...row, left }, definition)}
        />
        <div className="flex items-center gap-2">
          <SignField
            label={`${label}, comparison`}
            sign={row.sign}
            onChange={(sign) => onChange(withSign(row, sign))}
          />
          <button
            type="button"
            className="btn btn-ghost btn-icon shrink-0"
            aria-label={`Remove: ${label}`}
            title="Remove"
            onClick={onRemove}
          >
            <X size={14} aria-hidden="true" />
          </button>
        </div>
        <OperandFields
          {...shared}
          field="right"
          label={`${label}, right`}
          operand={row.right}
          beside={row.left}
          onChange={(right, definition) => onChange({ ...row, right }, definition)}
        />
        {row.high !== undefined && (
          <OperandFields
            {...shared}
            field="high"
            label={`${label}, upper end`}
            operand={row.high}
            beside={row.left}
            onChange={(high, definition) => onChange({ ...row, high }, definition)}
          />
        )}
        <CandlesField
          label={`${label}, candles`}
          chosen={row.interval}
          interval={interval}
          onChange={(next) => onChange(withInterval(row, next))}
        />
        <ProblemNotes problems={problems} />
      </fieldset>
    </ProblemFields>
  );
}

interface SignProps {
  label: string;
  sign: RowSign;
  onChange: (sign: RowSign) => void;
}

function SignField({ label, sign, onChange }: SignProps) {
  return (
    <select
      {...useFieldState(['sign'])}
      className="input"
      aria-label={label}
      value={sign}
      onChange={(event) => {
        const next = rowSigns.find((each) => each === event.target.value);
        if (next !== undefined) onChange(next);
      }}
    >
      {rowSigns.map((each) => (
        <option key={each} value={each}>
          {signNames[each]}
        </option>
      ))}
    </select>
  );
}

interface CandlesProps {
  label: string;
  /** The longer interval of the row; absent: the candles that decide. */
  chosen: IntervalName | undefined;
  /** Interval of the candles that decide. */
  interval: IntervalName;
  onChange: (interval: IntervalName | undefined) => void;
}

function CandlesField({ label, chosen, interval, onChange }: CandlesProps) {
  const state = useFieldState(['candles']);
  const longer = intervals.filter((each) => intervalMs[each] > intervalMs[interval] || each === chosen);
  if (longer.length === 0) return null;
  return (
    <label className="flex items-center justify-between gap-2 text-label text-muted">
      Candles
      <select
        {...state}
        className="input input-small w-auto"
        aria-label={label}
        value={chosen ?? interval}
        onChange={(event) => onChange(longer.find((each) => each === event.target.value))}
      >
        <option value={interval}>{interval}</option>
        {longer.map((each) => (
          <option key={each} value={each}>
            {each}, closed
          </option>
        ))}
      </select>
    </label>
  );
}
