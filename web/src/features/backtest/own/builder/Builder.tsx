import { intervalMs, type IntervalName, intervals } from '@sextant/engine-as/abi/intervals.ts';
import { type ConditionKind, conditionKinds } from '@sextant/workers/src/rules/syntax.ts';
import { Plus, X } from 'lucide-react';
import { Notice } from '../../../../ui/Notice.tsx';
import { Segments } from '../../../../ui/Segments.tsx';
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
import { type Changed, exitLine, LevelRow, OperandFields, stopUnits, targetUnits, ValueField } from './fields.tsx';
import type { Known } from './ranges.ts';

interface Props {
  text: string;
  /** Of the candles that decide. */
  interval: IntervalName;
  onChange: (text: string) => void;
  onShowText: () => void;
}

/** Rules by clicks: rows of the text, which every change writes. */
export function Builder({ text, interval, onChange, onShowText }: Props) {
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
  const isFixed = rules.others.some((each) => each.startsWith('size'));
  const names = rules.definitions.map(definedName);
  const known = { names, parameters: rules.parameters };
  return (
    <div data-testid="rule-builder" className="flex flex-col gap-3">
      {conditionKinds.map((kind) => (
        <GroupRows
          key={kind}
          title={groupTitles[kind]}
          group={rules.groups[kind]}
          known={known}
          interval={interval}
          onChange={(group, definition) => change({ groups: withGroup(rules.groups, kind, group) }, definition)}
        />
      ))}
      <section aria-label="Exits" className="flex flex-col gap-2 border-t border-line pt-2">
        <LevelRow
          title="Stop"
          units={stopUnits}
          level={rules.stop}
          known={known}
          onChange={(stop, definition) => change({ stop }, definition)}
        />
        <LevelRow
          title="Target"
          units={targetUnits}
          level={rules.target}
          known={known}
          onChange={(target, definition) => change({ target }, definition)}
        />
        {/* `size fixed` stands in place of a risk. */}
        {!isFixed && (
          <div className={exitLine}>
            <span className="text-label">Risk per trade</span>
            <ValueField
              label="Risk per trade"
              value={rules.risk ?? '1'}
              bounds={{ min: 0.01, max: 50, step: 0.1, decimals: 2, unit: '%' }}
              known={known}
              rangeName="risk_share"
              onChange={(risk, definition) => change({ risk }, definition)}
            />
          </div>
        )}
      </section>
      {(rules.definitions.length > 0 || rules.others.length > 0) && (
        <p className="text-label text-muted">
          Stays as text: <code className="font-mono">{[...rules.definitions, ...rules.others].join('; ')}</code>
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
  known: Known;
  interval: IntervalName;
  onChange: Changed<Group | undefined>;
}

const joins = ['and', 'or'] as const;
const joinNames = { and: 'All hold', or: 'One holds' };

function GroupRows({ title, group = { join: 'and', rows: [] }, known, interval, onChange }: GroupProps) {
  const { join, rows } = group;
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
          key={i}
          label={`${title}, condition ${i + 1}`}
          row={row}
          known={known}
          interval={interval}
          onChange={(next, definition) => setRows(rows.with(i, next), definition)}
          onRemove={() => setRows(rows.toSpliced(i, 1))}
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

interface RowProps {
  label: string;
  row: Row;
  known: Known;
  interval: IntervalName;
  onChange: Changed<Row>;
  onRemove: () => void;
}

function RowFields({ label, row, known, interval, onChange, onRemove }: RowProps) {
  const longer = intervals.filter((each) => intervalMs[each] > intervalMs[interval] || each === row.interval);
  return (
    <fieldset className="flex flex-col gap-1.5 rounded border border-line p-2">
      <legend className="sr-only">{label}</legend>
      <OperandFields
        label={`${label}, left`}
        operand={row.left}
        beside={row.right}
        known={known}
        onChange={(left, definition) => onChange({ ...row, left }, definition)}
      />
      <div className="flex items-center gap-2">
        <select
          className="input"
          aria-label={`${label}, comparison`}
          value={row.sign}
          onChange={(event) => {
            const sign = rowSigns.find((each) => each === event.target.value);
            if (sign !== undefined) onChange(withSign(row, sign));
          }}
        >
          {rowSigns.map((sign) => (
            <option key={sign} value={sign}>
              {signNames[sign]}
            </option>
          ))}
        </select>
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
        label={`${label}, right`}
        operand={row.right}
        beside={row.left}
        known={known}
        onChange={(right, definition) => onChange({ ...row, right }, definition)}
      />
      {row.high !== undefined && (
        <OperandFields
          label={`${label}, upper end`}
          operand={row.high}
          beside={row.left}
          known={known}
          onChange={(high, definition) => onChange({ ...row, high }, definition)}
        />
      )}
      {longer.length > 0 && (
        <label className="flex items-center justify-between gap-2 text-label text-muted">
          Candles
          <select
            className="input input-small w-auto"
            aria-label={`${label}, candles`}
            value={row.interval ?? interval}
            onChange={(event) =>
              onChange(
                withInterval(
                  row,
                  longer.find((each) => each === event.target.value),
                ),
              )
            }
          >
            <option value={interval}>{interval}</option>
            {longer.map((each) => (
              <option key={each} value={each}>
                {each}, closed
              </option>
            ))}
          </select>
        </label>
      )}
    </fieldset>
  );
}
