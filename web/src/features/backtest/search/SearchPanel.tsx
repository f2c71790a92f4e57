import { searchTargets } from '@sextant/engine-as/abi/searchTargets.ts';
import { intervalMs, intervals } from '@sextant/engine-as/abi/intervals.ts';
import type { NamedSet } from '@sextant/workers/src/protocol/optimize.ts';
import { strategyOfRules } from '@sextant/workers/src/rules/strategyOfRules.ts';
import { parameterOf, setOf } from '@sextant/workers/src/tasks/optimize/parameters.ts';
import { nameSet, outsideSlots, setLengthOf } from '@sextant/workers/src/tasks/optimize/space.ts';
import { FileDown } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { ref, snapshot, useSnapshot } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import { formatCount, formatFixed, formatMany } from '../../../format/number.ts';
import { toastRejection } from '../../../state/toasts.ts';
import { Panel } from '../../../ui/Panel.tsx';
import { TabPanel, Tabs, useTabsId } from '../../../ui/Tabs.tsx';
import { downloadBlob } from '../../../ui/download.ts';
import { type Draft, draft, type Run, runState } from '../backtestState.ts';
import { besideOf, type LiveSettings, strategyOf } from '../live/liveSettings.ts';
import { chooseRules, chosenOf } from '../own/chosenRules.ts';
import { fileNameOf } from '../results/ExportButtons.tsx';
import { markOf, noteTried } from '../trialCounts.ts';
import { TrialMapView } from './TrialMapView.tsx';
import { SearchComparison } from './SearchComparison.tsx';
import { trialName, TrialTable } from './TrialTable.tsx';
import { trialsCsv, trialsJson } from './exportTrials.ts';
import { minutesWords } from './minutesOfSearch.ts';
import { parametersOf } from './searchDefinitions.ts';
import { searchCautions } from './searchCautions.ts';
import { setText } from './setText.ts';
import { type SearchRun, searchState } from './searchState.ts';
import { writeOwnSet } from './storedSearch.ts';
import type { Trials } from './trials.ts';
import { WalkForwardPage } from './WalkForwardPage.tsx';
import { useWalkForward } from './walkForwardState.ts';

/** The part of the form that a set replaces. */
type Shown = Pick<Draft, 'strategy' | 'params' | 'live' | 'rules'>;

/** Sample 0 of every search is the set that was on the sliders before it. */
const OWN_TRIAL = 0;

const setOfTrial = ({ trials, input }: SearchRun, trial: number): NamedSet =>
  structuredClone(nameSet(input, setOf(trials.sets, trial, setLengthOf(input))));

/**
 * Puts one trial on the sliders; the live run shows its result on the scored window. Stores the previous set, unless it was applied from
 * the search too.
 */
function applyTrial(run: SearchRun, trial: number): void {
  const { loaded, result, trials } = run;
  const { strategy, params, live, rules } = snapshot(draft);
  const { own } = searchState;
  const isApplied = own !== null && setActive(draft, runState.run, run) === own.appliedText;
  if (runState.loaded !== loaded) runState.loaded = ref(loaded);
  const set = setOfTrial(run, trial);
  noteTried(markOf(loaded, result.best.scored.hashes.data), set.strategy ?? set.params);
  searchState.own = {
    ...(structuredClone(isApplied ? snapshot(own) : { strategy, params, live, rules }) as Shown),
    appliedText: setText(set),
  };
  putOnSliders(set, rulesNameOf(trials, trial));
  void writeOwnSet(run);
}

const rulesNameOf = ({ sampleCount }: Trials, trial: number): string =>
  trial < sampleCount
    ? `Set #${formatCount(trial)} of a search`
    : `Refined set ${formatCount(trial - sampleCount)} of a search`;

/** @param name of rules, until they are saved under a name of the user */
function putOnSliders({ strategy, params }: NamedSet, name: string): void {
  chooseRules(strategy === undefined ? null : chosenOf(name, strategy));
  if (strategy === undefined) Object.assign(draft.params, params);
}

/** Restores the sliders from before a set was applied; where this browser has not stored them, those from before the search. */
function restoreOwn(run: SearchRun): void {
  const { own } = searchState;
  searchState.own = null;
  void writeOwnSet(run);
  if (own === null) {
    putOnSliders(setOfTrial(run, OWN_TRIAL), 'Rules before the search');
    return;
  }
  const { strategy, params, live, rules } = structuredClone(snapshot(own)) as Shown;
  Object.assign(draft.params, params);
  Object.assign(draft.live, live);
  Object.assign(draft.rules, rules);
  draft.strategy = strategy;
}

/** A tracked snapshot cannot be cloned; reading all of it subscribes to every change. */
const plainOf = (settings: LiveSettings): LiveSettings => JSON.parse(JSON.stringify(settings)) as LiveSettings;

/** The set on the sliders as text. Rules of the scanner depend on the tuning of the account: uses those of the last run. */
function setActive(
  { strategy, params, live, rules }: Readonly<Shown>,
  shown: Pick<Run, 'strategy'> | null,
  { loaded }: SearchRun,
): string {
  if (strategy === 'classic') return setText({ params });
  const interval = intervals.find((name) => intervalMs[name] === loaded.intervalMs);
  if (strategy === 'own') {
    const own = interval === undefined ? undefined : strategyOfRules(rules.text, interval);
    return own?.ok === true ? setText({ params, strategy: own.value }) : '';
  }
  if (live.own === null || interval === undefined)
    return shown?.strategy === undefined ? '' : setText({ params, strategy: shown.strategy });
  const settings = plainOf(live);
  const context = loaded.source === 'csv' ? [] : besideOf(interval, settings);
  return setText({ params, strategy: strategyOf(settings, interval, { context, tuning: {} }) });
}

/** The set on the sliders. A set moved since then is no trial. */
function useActive(run: SearchRun, best: number) {
  const form = useSnapshot(draft) as Draft;
  const shown = useSnapshot(runState).run as Run | null;
  const { own } = useSnapshot(searchState);
  const active = setActive(form, shown, run);
  const isActive = (trial: number) => active === setText(setOfTrial(run, trial));
  const isStart = isActive(OWN_TRIAL);
  const other: 'own' | 'other' = own === null || isStart ? 'own' : 'other';
  return {
    isActive,
    activeSet: isActive(best) ? ('best' as const) : other,
    isBackPossible: own !== null || (isActive(best) && !isStart),
  };
}

type ViewId = 'map' | 'table' | 'walkForward';

export function bestTrialOf({ result, trials }: SearchRun): number {
  const { kind, index } = result.best.origin;
  return kind === 'sample' ? index : trials.sampleCount + index;
}

/** All trials of the last search: as a map, as a table, and the walk-forward results. */
export function SearchPanel({ run }: { run: SearchRun }) {
  const { result } = run;
  const id = useTabsId();
  const [view, setView] = useState<ViewId>('map');
  const [chosen, setChosen] = useState<number | null>(null);
  const best = bestTrialOf(run);
  const walking = useWalkForward(run);
  // The best set is painted first, all sets in the following frames.
  const isDrawn = useDeferredValue(true, false);
  const { isActive, activeSet, isBackPossible } = useActive(run, best);
  const trial = chosen ?? best;
  const select = (next: number) => {
    setChosen(next);
    applyTrial(run, next);
  };
  const views: { id: ViewId; label: string }[] = [
    { id: 'map', label: 'Map' },
    { id: 'table', label: 'Table' },
    ...(walking.status === 'none' ? [] : [{ id: 'walkForward' as const, label: 'Walk-forward' }]),
  ];
  const shared = { run, best, selected: isActive(trial) ? trial : null, onSelect: select };
  return (
    <Panel
      title={`Search, ${formatCount(result.trialCount)} sets by ${searchTargets[result.target].name}`}
      aside={
        <span className="flex items-center gap-2">
          <span className="max-md:hidden">seed {result.seed}</span>
          <TrialExport run={run} />
        </span>
      }
      bodyClassName=""
    >
      <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-1">
        <Tabs label="Search results" items={views} active={view} idBase={id} onSelect={setView} className="h-9" />
        <span className="px-2 text-label text-muted">Best: {trialName(run.trials, best)}</span>
      </div>
      <SearchFacts run={run} />
      <MinutesLine run={run} />
      <OutsideRanges run={run} best={best} />
      <SearchComparison
        run={run}
        activeSet={activeSet}
        onApply={() => select(best)}
        onBack={isBackPossible ? () => restoreOwn(run) : null}
      />
      {searchCautions(run).map((words) => (
        <p key={words} className="px-3 pt-2 text-label text-warn" data-testid="search-caution">
          {words}
        </p>
      ))}
      {result.best.reason !== undefined && <p className="px-3 pt-2 text-label text-warn">{result.best.reason}</p>}
      <TabPanel idBase={id} id={view}>
        {!isDrawn && <div aria-busy="true" className="skeleton m-3 h-96" />}
        {isDrawn && view === 'map' && <TrialMapView {...shared} />}
        {isDrawn && view === 'table' && <TrialTable {...shared} />}
        {isDrawn && view === 'walkForward' && <WalkForwardPage run={run} walking={walking} />}
      </TabPanel>
    </Panel>
  );
}

function SearchFacts({ run: { result, trials, tookMs, input, ranOn, minutes } }: { run: SearchRun }) {
  const took = `${formatFixed(tookMs, 0)} ms`;
  const rate = `${formatCount(trials.count / (tookMs / 1000))} sets a second`;
  // The time on the server is that of all its stages.
  const isWithWait = ranOn === 'server' && minutes.kind === 'with';
  const speed = isWithWait
    ? `in ${took} on the server, minutes included`
    : `in ${took} ${ranOn === 'server' ? 'on the server' : 'in this browser'}: ${rate}`;
  const where = input.trainOn === 'scored' ? 'scored candles' : 'earlier candles';
  const isRepeated = result.trialCount < trials.count;
  return (
    <p className="px-3 pt-2 text-label text-muted tabular-nums" data-testid="search-facts" data-seed={input.seed}>
      {formatMany(trials.count, isRepeated ? 'draw' : 'set')} on {formatCount(result.train.end - result.train.start)}{' '}
      {where}, {speed}. {formatCount(input.samples)} random, {formatCount(trials.count - input.samples)} refined.{' '}
      {isRepeated
        ? `Your ranges have ${formatMany(result.trialCount, 'set')}: a repeated draw is no new trial.`
        : 'All count as trials.'}
    </p>
  );
}

/** What settled the exits of the sets; in the warning colour when requested minutes are missing. */
function MinutesLine({ run: { minutes, input } }: { run: SearchRun }) {
  const isShort = minutes.kind === 'with' && minutes.problem !== null;
  return (
    <p className={`px-3 pt-1 text-label ${isShort ? 'text-warn' : 'text-muted'}`} data-testid="search-minutes-used">
      {minutesWords(minutes, input.costs)}
    </p>
  );
}

/** Names and values outside the user's ranges: `Stop 2.0 ATR`. */
function outsideWords({ input, trials }: SearchRun, trial: number): string {
  const slots = outsideSlots(input, setOf(trials.sets, trial, setLengthOf(input)));
  return parametersOf(input)
    .filter(({ parameter }) => slots.includes(parameter.slot))
    .map(({ name, parameter, format }) => `${name} ${format(parameterOf(trials.sets, trial, parameter))}`)
    .join(', ');
}

/** Ranges hold every drawn set; the user's own set, and sets refined around it, may be outside. */
function OutsideRanges({ run, best }: { run: SearchRun; best: number }) {
  const own = useMemo(() => outsideWords(run, OWN_TRIAL), [run]);
  if (own === '') return null;
  const ofBest = best === OWN_TRIAL ? '' : outsideWords(run, best);
  return (
    <p className="px-3 pt-1 text-label text-warn" data-testid="outside-ranges">
      Outside your ranges: {own}.{' '}
      {run.input.refine !== false && 'Refined sets may be outside too: move your set inside. '}
      {ofBest !== '' && `Best set outside too: ${ofBest}.`}
    </p>
  );
}

const kinds = [
  { name: 'Sets CSV', ending: 'csv', write: trialsCsv },
  { name: 'Sets JSON', ending: 'json', write: trialsJson },
] as const;

/** Every set of the search as a file, with its figures and its parameters in full. */
function TrialExport({ run }: { run: SearchRun }) {
  const [writing, setWriting] = useState<string | null>(null);
  const save = async ({ ending, write }: (typeof kinds)[number]) => {
    setWriting(ending);
    try {
      downloadBlob(`${fileNameOf(run)}-seed-${run.result.seed}-sets.${ending}`, await write(run));
    } catch (failure) {
      toastRejection(messageOf(failure, 'The file was not written'), failure);
    } finally {
      setWriting(null);
    }
  };
  return (
    <span className="flex gap-1">
      {kinds.map((kind) => (
        <button
          key={kind.ending}
          type="button"
          className="btn btn-ghost btn-small"
          disabled={writing !== null}
          onClick={() => void save(kind)}
        >
          <FileDown size={14} aria-hidden="true" /> {writing === kind.ending ? 'Writing…' : kind.name}
        </button>
      ))}
    </span>
  );
}
