import { intervalMs, intervals, signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { classicAsRules } from '@sextant/workers/src/signals/classicRules.ts';
import { SAVED_NAME_MAX } from '@sextant/workers/src/core/limits.ts';
import { builtInNames, LIVE_RULES, strategyVersion } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { isOwnRules } from '@sextant/workers/src/rules/strategyOfRules.ts';
import type { DataMark } from '@sextant/workers/src/candles/sameData.ts';
import { Check, FolderOpen, Pencil, Save, Trash2, X } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import type { LoadedCandles } from '../../../api/candles.ts';
import { messageOf } from '../../../api/failure.ts';
import {
  deleteStrategy,
  renameStrategy,
  replaceStrategy,
  saveStrategy,
  useStrategies,
  useStrategyChange,
} from '../../../data/strategies.ts';
import type { SavedRules, SavedStrategy } from '../../../api/types.ts';
import { rulesText, shortVersion } from '../../../format/strategyText.ts';
import { toast } from '../../../state/toasts.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { ErrorState, Panel } from '../../../ui/Panel.tsx';
import { StrategyChoice } from '../../../ui/StrategyChoice.tsx';
import { draft, type Draft, type Run, type SetupInterval } from '../backtestState.ts';
import { RulesSource } from '../own/RulesSource.tsx';
import { loadAndRun } from '../runner.ts';
import { markOf, noteTried } from '../trialCounts.ts';
import { chooseRules, chosenOf } from '../own/chosenRules.ts';

const [CLASSIC] = builtInNames;
const OWN_RULES = 'Own rules';

/** Puts a saved strategy into the lab and runs it on the symbol that is chosen. */
export async function openStrategy({ name, value }: Pick<SavedStrategy, 'name' | 'value'>): Promise<void> {
  const base = value.intervals[0]?.interval;
  const interval = intervals.find((each) => each === base) satisfies SetupInterval | undefined;
  if (interval === undefined) {
    toast(`${name} needs ${base ?? 'unknown'} candles; the lab has ${intervals.join(', ')}`, 'error');
    return;
  }
  const chosen = chosenOf(name, value);
  const change = { source: 'exchange', strategy: chosen.kind, interval } satisfies Partial<Draft>;
  // The candles on screen must not be run with these rules while their own are on the way.
  await loadAndRun({
    change,
    onLoaded: () => {
      Object.assign(draft, change);
      chooseRules(chosen);
    },
  });
}

/** Saved strategies: open, rename or delete one. */
export function MyRules() {
  const list = useStrategies();
  const saved = list.data?.strategies ?? [];
  if (list.error !== null)
    return (
      <ErrorState
        failure={list.error}
        text={messageOf(list.error, 'Your rules did not load.')}
        onRetry={() => void list.refetch()}
      />
    );
  if (saved.length === 0) return null;
  return (
    <div className="flex flex-col gap-1">
      <span className="text-label font-medium">My rules</span>
      <StrategyChoice />
      <ul aria-label="My rules" className="flex max-h-60 flex-col overflow-y-auto">
        {saved.map((each) => (
          <Row key={each.id} saved={each} />
        ))}
      </ul>
    </div>
  );
}

function Row({ saved }: { saved: SavedStrategy }) {
  const [isRenaming, setRenaming] = useState(false);
  const forget = useStrategyChange(deleteStrategy, 'The rules were not deleted');
  const { id, name, version } = saved;
  if (isRenaming) return <RenameRow saved={saved} onDone={() => setRenaming(false)} />;
  return (
    <li className="flex min-h-9 items-center gap-1 border-t border-line pointer-coarse:min-h-11">
      <span className="min-w-0 flex-1 truncate font-medium" title={name}>
        {name}
      </span>
      {saved.is_used && <span className="text-label font-medium text-accent">traded</span>}
      <span className="font-mono text-label text-muted" title={`Version ${version}`}>
        {shortVersion(version)}
      </span>
      <IconButton label={`Open ${name}`} title="Open" onClick={() => void openStrategy(saved)}>
        <FolderOpen size={14} aria-hidden="true" />
      </IconButton>
      <IconButton label={`Rename ${name}`} title="Rename" onClick={() => setRenaming(true)}>
        <Pencil size={14} aria-hidden="true" />
      </IconButton>
      <IconButton
        label={`Delete ${name}`}
        title="Delete"
        isDisabled={forget.isPending}
        onClick={() => forget.mutate(id, { onSuccess: () => toast(`${name} deleted`, 'success') })}
      >
        <Trash2 size={14} aria-hidden="true" />
      </IconButton>
    </li>
  );
}

function RenameRow({ saved, onDone }: { saved: SavedStrategy; onDone: () => void }) {
  const [name, setName] = useState(saved.name);
  const rename = useStrategyChange(renameStrategy, 'The rules were not renamed');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    rename.mutate({ id: saved.id, name: name.trim() }, { onSuccess: onDone });
  };
  return (
    <li className="border-t border-line">
      <form className="flex min-h-9 items-center gap-1 pointer-coarse:min-h-11" onSubmit={submit}>
        <input
          className="input h-7 min-w-0 flex-1"
          aria-label={`New name of ${saved.name}`}
          maxLength={SAVED_NAME_MAX}
          value={name}
          autoFocus
          onChange={(event) => setName(event.target.value)}
        />
        <button
          type="submit"
          className="btn btn-ghost btn-small btn-icon"
          aria-label="Keep the name"
          title="Keep the name"
          disabled={name.trim() === '' || rename.isPending}
        >
          <Check size={14} aria-hidden="true" />
        </button>
        <IconButton label="Cancel" title="Cancel" onClick={onDone}>
          <X size={14} aria-hidden="true" />
        </IconButton>
      </form>
    </li>
  );
}

interface IconProps {
  label: string;
  title: string;
  isDisabled?: boolean;
  onClick: () => void;
  children: React.ReactNode;
}

function IconButton({ label, title, isDisabled = false, onClick, children }: IconProps) {
  return (
    <button
      type="button"
      className="btn btn-ghost btn-small btn-icon"
      aria-label={label}
      title={title}
      disabled={isDisabled}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

/** Display name of a run's rules: the saved rules it was made with, changed or not, Live rules, or Classic. */
export function useRulesName({ strategy, opened }: Pick<Run, 'strategy' | 'opened'>): string {
  const saved = useStrategies().data?.strategies ?? [];
  if (strategy === undefined) return CLASSIC;
  const version = strategyVersion(strategy);
  const same = saved.find((each) => each.version === version);
  if (same !== undefined) return same.name;
  if (opened === undefined) return isOwnRules(strategy) ? OWN_RULES : LIVE_RULES;
  return opened.version === version ? opened.name : `${opened.name}, changed`;
}

/** The rules of a run; Classic converted to a strategy, or null on candles without an interval name. */
export function rulesOf({ strategy, params, loaded }: Pick<Run, 'strategy' | 'params'> & RunCandles): Strategy | null {
  if (strategy !== undefined) return strategy;
  const interval = intervals.find((name) => intervalMs[name] === loaded.intervalMs);
  return interval === undefined ? null : classicAsRules(params, interval);
}

interface RunCandles {
  loaded: Pick<LoadedCandles, 'intervalMs'>;
}

/** Saves the rules of the run on screen, or the parameters of Classic as rules. */
export function SaveRunAsRules({ run }: { run: Run }) {
  const mark = markOf(run.loaded, run.result.hashes.data);
  return <SaveAsRules rules={rulesOf(run)} mark={mark} label="Save as my rules" isShort />;
}

interface SaveProps {
  rules: Strategy | null;
  /** Candles on which the set was counted as a trial: saving it as rules does not count it again there. */
  mark: DataMark;
  label: string;
  /** Icon only, on a narrow screen. */
  isShort?: boolean;
}

/** A button that opens a name field and saves the rules. */
export function SaveAsRules({ rules, mark, label, isShort = false }: SaveProps) {
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    if (rules === null) toast(`Use ${intervals.join(', ')} candles to save rules`);
    else setOpen(true);
  };
  return (
    <>
      <button type="button" className="btn btn-small" title={label} onClick={open}>
        <Save size={14} aria-hidden="true" /> <span className={isShort ? 'max-md:sr-only' : ''}>{label}</span>
      </button>
      {rules !== null && (
        <Dialog title={label} text={usedBy(rules)} isOpen={isOpen} onClose={() => setOpen(false)}>
          <RulesList strategy={rules} />
          <NameForm
            strategy={rules}
            onSaved={(isDone) => {
              noteTried(mark, rules);
              if (isDone) setOpen(false);
            }}
          />
        </Dialog>
      )}
    </>
  );
}

const isRead = (interval: string): boolean => (signalIntervals as readonly string[]).includes(interval);
const isScanned = ({ intervals: used }: Pick<Strategy, 'intervals'>): boolean =>
  used.every(({ interval }) => isRead(interval));

/** Where saved rules can be used: scans read candles of some intervals only. */
export function usedBy({ intervals: used }: Pick<Strategy, 'intervals'>): string {
  const unread = used.find(({ interval }) => !isRead(interval));
  return unread === undefined
    ? 'Choose them under Scans and Auto trade to trade them.'
    : `For backtests only: scans read ${signalIntervals.join(', ')}, these rules need ${unread.interval}.`;
}

/** Saving under an existing name replaces those rules. */
interface NameProps {
  strategy: Strategy;
  /** @param isDone false while the form shows a warning about the saved rules */
  onSaved: (isDone: boolean) => void;
}

function NameForm({ strategy, onSaved }: NameProps) {
  const list = useStrategies();
  const saved = list.data?.strategies ?? [];
  const [name, setName] = useState('');
  const save = useStrategyChange(saveStrategy, 'The rules were not saved');
  const replace = useStrategyChange(replaceStrategy, 'The rules were not saved');
  const version = strategyVersion(strategy);
  const same = saved.find((each) => each.version === version);
  const named = saved.find((each) => each.name === name.trim());
  const [warning, setWarning] = useState<string | null>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const onSuccess = ({ recent }: SavedRules) => {
      toast(`Saved as ${name.trim()}`, 'success');
      setWarning(recent?.warning ?? null);
      if (recent !== null && recent.warning === null) toast(recent.text);
      else if (recent === null && isScanned(strategy)) toast('Recent signals not counted: candles arrived too late');
      onSaved(recent?.warning == null);
    };
    if (named === undefined) save.mutate({ name: name.trim(), value: strategy }, { onSuccess });
    else replace.mutate({ id: named.id, value: strategy }, { onSuccess });
  };
  return (
    <form className="flex flex-col gap-2" onSubmit={submit}>
      <span className="flex items-center gap-2">
        <input
          className="input min-w-0 flex-1"
          aria-label="Name of the rules"
          placeholder="Name these rules"
          maxLength={SAVED_NAME_MAX}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <button
          type="submit"
          className="btn btn-primary"
          disabled={name.trim() === '' || save.isPending || replace.isPending || list.data === undefined}
        >
          {save.isPending || replace.isPending ? 'Saving…' : named === undefined ? 'Save rules' : 'Replace'}
        </button>
      </span>
      {warning !== null && <Notice tone="warn">{warning}</Notice>}
      <p className="text-label text-muted">
        {same === undefined ? 'Not saved yet.' : `Saved already as ${same.name}.`} Version{' '}
        <span className="font-mono" title={version}>
          {shortVersion(version)}
        </span>
      </p>
    </form>
  );
}

/** The rules of a strategy, line by line. */
function RulesList({ strategy }: { strategy: Strategy }) {
  return (
    <>
      <dl className="flex flex-col text-label">
        {rulesText(strategy).map(([name, value]) => (
          <div key={name} className="flex justify-between gap-3 border-b border-line py-1">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      {isOwnRules(strategy) && <RulesSource text={strategy.rules} />}
    </>
  );
}

/** The rules of a strategy run, below its figures; nothing for Classic, whose parameters are on the sliders. */
export function RulesPanel({ run }: { run: Run }) {
  const name = useRulesName(run);
  if (run.strategy === undefined) return null;
  return (
    <Panel title={name}>
      <div data-testid="live-rules">
        <RulesList strategy={run.strategy} />
      </div>
    </Panel>
  );
}
