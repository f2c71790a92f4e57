import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import type { Candles } from '@sextant/workers/src/protocol/backtest.ts';
import type { RuleProblem } from '@sextant/workers/src/rules/problems.ts';
import { ruleTemplates } from '@sextant/workers/src/rules/templates/index.ts';
import { withValues } from '@sextant/workers/src/rules/withValues.ts';
import { useState } from 'react';
import { useSnapshot } from 'valtio';
import { formatMany } from '../../../format/number.ts';
import { Field } from '../../../ui/Field.tsx';
import { late } from '../../../ui/late.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { SliderRow } from '../../../ui/SliderRow.tsx';
import { draft, runState } from '../backtestState.ts';
import { loadAndRun } from '../runner.ts';
import { RulesDetectableNote } from '../search/Detectable.tsx';
import type { Scales } from './builder/levels.ts';
import type { EditorHandle } from './editor/RuleEditor.tsx';
import {
  applyChange,
  type CheckedRules,
  decimalsOf,
  fixesOf,
  parametersIn,
  type TextChange,
  usesNews,
} from './ownRules.ts';
import { problemWords } from './problemWords.ts';
import { templateVerdictText } from './templateVerdict.ts';
import { setText, useRulesText } from './textState.ts';

/** As high as an editor of the first template. */
const placeholder = <div aria-busy="true" className="skeleton h-48" />;
const ruleEditor = late(async () => (await import('./editor/RuleEditor.tsx')).RuleEditor, placeholder);
const ruleBuilder = late(async () => (await import('./builder/Builder.tsx')).Builder, placeholder);

const KEYS = 'Ctrl+Space completes a word. F8 shows the next problem. Tab leaves the editor.';

const views = ['text', 'builder'] as const;
const viewNames = { text: 'Text', builder: 'Builder' };

/** Own rules: the text, its problems and its parameters. Every part shows the one text of the form. */
export function OwnRulesPanel() {
  const { text, interval, checked } = useRulesText();
  const { loaded } = useSnapshot(runState);
  const [view, setView] = useState<(typeof views)[number]>('text');
  const [editor, setEditor] = useState<EditorHandle | null>(null);
  return (
    <div className="flex flex-col gap-3 p-3">
      <header className="flex min-h-7 items-center justify-between gap-2">
        <h2 className="font-semibold">Rules</h2>
        <Segments
          isSmall
          isFitted
          label="Write rules as"
          options={views}
          value={view}
          nameOf={(each) => viewNames[each]}
          onSelect={setView}
        />
      </header>
      <TemplateField text={text} interval={interval} />
      {view === 'text' ? (
        <div className="flex flex-col gap-1">
          <ruleEditor.View text={text} interval={interval} help={KEYS} onReady={setEditor} onChange={setText} />
          <p className="text-label text-muted">{KEYS}</p>
        </div>
      ) : (
        <ruleBuilder.View
          text={text}
          interval={interval}
          checked={checked}
          scales={scalesOf(loaded?.candles)}
          onChange={setText}
          onShowText={() => setView('text')}
        />
      )}
      <Problems
        text={text}
        interval={interval}
        checked={checked}
        onShow={view === 'text' ? (problem) => editor?.show(problem) : null}
      />
      <Parameters text={text} />
      <RulesDetectableNote />
    </div>
  );
}

/** The last price, and the mean volume of the last candles. */
function scalesOf(candles: Pick<Candles, 'close' | 'volume'> | undefined): Scales {
  const price = candles?.close.at(-1);
  if (candles === undefined || price === undefined) return {};
  const volumes = candles.volume.slice(-VOLUME_CANDLES);
  return { price, volume: volumes.reduce((sum, each) => sum + each, 0) / volumes.length };
}

const VOLUME_CANDLES = 24;
const NONE = '';

/** The candles that a template is meant for; with a result on screen they are loaded and run. */
function chooseCandles(interval: IntervalName): void {
  draft.interval = interval;
  if (runState.run !== null) void loadAndRun();
}

function TemplateField({ text, interval }: { text: string; interval: IntervalName }) {
  const chosen = ruleTemplates.find((each) => each.text === text);
  const { source } = useSnapshot(draft);
  const isOther = chosen !== undefined && chosen.interval !== interval && source === 'exchange';
  return (
    <div className="flex flex-col gap-1">
      <Field
        label="Start from a template"
        hint={chosen && `${chosen.about} ${chosen.source}. ${templateVerdictText(chosen.id)}`}
      >
        {(ids) => (
          <select
            {...ids}
            className="input"
            value={chosen?.id ?? NONE}
            onChange={(event) => {
              const next = ruleTemplates.find((each) => each.id === event.target.value);
              if (next !== undefined) draft.rules = { text: next.text, opened: null };
            }}
          >
            <option value={NONE} disabled>
              Own text
            </option>
            {ruleTemplates.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
      {isOther && (
        <button type="button" className="btn btn-small self-start" onClick={() => chooseCandles(chosen.interval)}>
          Use {chosen.interval} candles
        </button>
      )}
    </div>
  );
}

interface ProblemsProps {
  text: string;
  interval: IntervalName;
  checked: CheckedRules;
  /** Null: nothing shows the characters. */
  onShow: ((problem: RuleProblem) => void) | null;
}

/** Errors, or warnings of a text without errors; the same words as in the editor. */
function Problems({ text, interval, checked, onShow }: ProblemsProps) {
  const problems = checked.ok ? checked.value.warnings : checked.error;
  const noun = checked.ok ? 'warning' : 'error';
  const { run } = useSnapshot(runState);
  const fixes = fixesOf(text, interval);
  return (
    <section aria-label="Problems of the rules" className="flex flex-col gap-1.5 text-label">
      <p role="status" className={checked.ok ? 'text-muted' : 'font-medium text-down'}>
        {problems.length === 0 ? 'No errors.' : `${formatMany(problems.length, noun)}.`}
        {!checked.ok && run !== null && ' Showing the result of the last valid version.'}
        {usesNews(text) && ' Backtests have no news: it is undefined there.'}
      </p>
      {problems.length > 0 && (
        <ul className="flex flex-col gap-1.5">
          {problems.map((problem, i) => (
            <Problem
              key={`${problem.line} ${problem.column}`}
              problem={problem}
              change={fixes[i] ?? null}
              onChange={(change) => setText(applyChange(text, change))}
              onShow={onShow}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

interface ProblemProps {
  problem: RuleProblem;
  change: TextChange | null;
  onChange: (change: TextChange) => void;
  onShow: ProblemsProps['onShow'];
}

function Problem({ problem, change, onChange, onShow }: ProblemProps) {
  const position = `Line ${problem.line}, column ${problem.column}`;
  return (
    <li className="flex flex-col items-start gap-1 rounded border border-line p-2">
      <span className="wrap-anywhere">
        <span className="font-medium">{position}:</span>{' '}
        {problemWords(problem).map(({ text, isCode }, i) =>
          isCode ? (
            <code key={i} className="font-mono">
              {text}
            </code>
          ) : (
            text
          ),
        )}
      </span>
      <span className="flex flex-wrap gap-1">
        {change !== null && (
          <button
            type="button"
            className="btn btn-small"
            aria-label={`Use this fix: ${position}`}
            onClick={() => onChange(change)}
          >
            Use this fix
          </button>
        )}
        {onShow !== null && (
          <button
            type="button"
            className="btn btn-ghost btn-small"
            aria-label={`Show in the editor: ${position}`}
            onClick={() => onShow(problem)}
          >
            Show
          </button>
        )}
      </span>
    </li>
  );
}

/** The parameters with a range: moving one changes its number in the text. */
function Parameters({ text }: { text: string }) {
  const { values, ranged } = parametersIn(text);
  return (
    <section aria-label="Parameters of the rules" className="border-t border-line pt-3">
      <h2 className="font-semibold">Parameters</h2>
      {ranged.length === 0 && (
        <p className="text-label text-muted">
          Write a range to get a slider: <code className="font-mono">fast = 12 [5..50 step 1]</code>
        </p>
      )}
      {ranged.map(({ index, name, value, from, to, step }) => (
        <SliderRow
          key={name}
          name={name}
          label={<span className="font-mono">{name}</span>}
          value={value}
          min={from}
          max={to}
          step={step}
          decimals={Math.max(decimalsOf(step), decimalsOf(from), decimalsOf(value))}
          isChanged={false}
          onChange={(next) => setText(withValues(text, values.with(index, next)))}
        />
      ))}
    </section>
  );
}
