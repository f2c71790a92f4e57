import type { Strategy } from '@sextant/engine-as/abi/strategy.ts';
import { intervals } from '@sextant/engine-as/abi/intervals.ts';
import { builtInNames, LIVE_RULES, strategyVersion } from '@sextant/workers/src/wire/strategy.ts';
import { Check, FolderOpen, Pencil, Trash2, X } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { deleteStrategy, renameStrategy, useStrategies, useStrategyChange } from '../../../api/strategies.ts';
import type { SavedStrategy } from '../../../api/types.ts';
import { shortVersion } from '../../../format/strategyText.ts';
import { toast } from '../../../state/toasts.ts';
import { ErrorState } from '../../../ui/Panel.tsx';
import { StrategyChoice } from '../../../ui/StrategyChoice.tsx';
import { draft, type Draft, type Run, type SetupInterval } from '../backtestState.ts';
import { loadAndRun } from '../runner.ts';
import { settingsOf } from './liveSettings.ts';

const [CLASSIC] = builtInNames;
export const NAME_MAX = 60;

/** Puts a saved strategy into the lab and runs it on the symbol that is chosen. */
export async function openStrategy({ name, value }: Pick<SavedStrategy, 'name' | 'value'>): Promise<void> {
  const strategy = value as Strategy;
  const base = strategy.intervals[0]?.interval;
  const interval = intervals.find((each) => each === base) satisfies SetupInterval | undefined;
  if (interval === undefined) {
    toast(`${name} asks for ${base ?? 'unknown'} candles; the lab reads ${intervals.join(', ')}`, 'error');
    return;
  }
  const change = { source: 'exchange', strategy: 'live', interval } satisfies Partial<Draft>;
  // The candles on screen must not be run with these rules while their own are on the way.
  await loadAndRun({
    change,
    onLoaded: () => {
      Object.assign(draft, change);
      Object.assign(draft.live, settingsOf(name, strategy));
    },
  });
}

/** Strategies that were saved here: open, rename or delete one. */
export function MyRules() {
  const list = useStrategies();
  const saved = list.data?.strategies ?? [];
  if (list.error !== null)
    return (
      <ErrorState
        failure={list.error}
        text={messageOf(list.error, 'Your rules could not be read.')}
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
          maxLength={NAME_MAX}
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

/** The name that a run goes by: the saved rules it was made with, changed or not, Live rules, or Classic. */
export function useRulesName({ strategy, opened }: Pick<Run, 'strategy' | 'opened'>): string {
  const saved = useStrategies().data?.strategies ?? [];
  if (strategy === undefined) return CLASSIC;
  const version = strategyVersion(strategy);
  const same = saved.find((each) => each.version === version);
  if (same !== undefined) return same.name;
  if (opened === undefined) return LIVE_RULES;
  return opened.version === version ? opened.name : `${opened.name}, changed`;
}
