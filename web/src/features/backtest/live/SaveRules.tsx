import { intervalMs, intervals, signalIntervals } from '@sextant/engine-as/abi/intervals.ts';
import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { classicAsRules } from '@sextant/workers/src/classicRules.ts';
import { strategyVersion } from '@sextant/workers/src/wire/strategy.ts';
import { Save } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import type { LoadedCandles } from '../../../api/candles.ts';
import { replaceStrategy, saveStrategy, useStrategies, useStrategyChange } from '../../../api/strategies.ts';
import type { SavedStrategy } from '../../../api/types.ts';
import { rulesText, shortVersion } from '../../../format/strategyText.ts';
import { toast } from '../../../state/toasts.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import type { Run } from '../backtestState.ts';
import { type DataMark, markOf, noteTried } from '../trialCounts.ts';
import { NAME_MAX, useRulesName } from './MyRules.tsx';

/** The rules of a run; those of Classic as the strategy they are, or null on candles that no strategy can name. */
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
  /** Candles on which the set was counted as a trial: the same set as rules is no other one there. */
  mark: DataMark;
  label: string;
  /** On a narrow screen the icon alone. */
  isShort?: boolean;
}

/** A button that asks for a name and saves the rules. */
export function SaveAsRules({ rules, mark, label, isShort = false }: SaveProps) {
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    if (rules === null) toast(`Rules are saved for candles of ${intervals.join(', ')}; these are of another length`);
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
            onSaved={() => {
              noteTried(mark, rules);
              setOpen(false);
            }}
          />
        </Dialog>
      )}
    </>
  );
}

/** Where saved rules can be used: scans read candles of some intervals only. */
export function usedBy({ intervals: used }: Pick<Strategy, 'intervals'>): string {
  const scanned: readonly string[] = signalIntervals;
  const unread = used.find(({ interval }) => !scanned.includes(interval));
  return unread === undefined
    ? 'Scans and automatic opening can trade them: choose them there under Scans and Auto trade.'
    : `For backtests only: scans and automatic opening read ${scanned.join(', ')} candles, and these rules need ${unread.interval}.`;
}

/** The name of saved rules that is there already replaces their value. */
function NameForm({ strategy, onSaved }: { strategy: Strategy; onSaved: () => void }) {
  const list = useStrategies();
  const saved = list.data?.strategies ?? [];
  const [name, setName] = useState('');
  const save = useStrategyChange(saveStrategy, 'The rules were not saved');
  const replace = useStrategyChange(replaceStrategy, 'The rules were not saved');
  const version = strategyVersion(strategy);
  const same = saved.find((each) => each.version === version);
  const named = saved.find((each) => each.name === name.trim());
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const onSuccess = () => {
      toast(`Saved as ${name.trim()}`, 'success');
      onSaved();
    };
    const value = strategy as SavedStrategy['value'];
    if (named === undefined) save.mutate({ name: name.trim(), value }, { onSuccess });
    else replace.mutate({ id: named.id, value }, { onSuccess });
  };
  return (
    <form className="flex flex-col gap-2" onSubmit={submit}>
      <span className="flex items-center gap-2">
        <input
          className="input min-w-0 flex-1"
          aria-label="Name of the rules"
          placeholder="Name these rules"
          maxLength={NAME_MAX}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <button
          type="submit"
          className="btn btn-primary"
          disabled={name.trim() === '' || save.isPending || replace.isPending || list.data === undefined}
        >
          {named === undefined ? 'Save rules' : 'Replace'}
        </button>
      </span>
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
    <dl className="flex flex-col text-label">
      {rulesText(strategy).map(([name, value]) => (
        <div key={name} className="flex justify-between gap-3 border-b border-line py-1">
          <dt className="text-muted">{name}</dt>
          <dd className="text-right font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The rules of a run of a strategy, below its figures; nothing for Classic, whose parameters are on the sliders. */
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
