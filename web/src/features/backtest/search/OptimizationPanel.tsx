import { searchTargets } from '@sextant/engine-as/abi/searchTargets.ts';
import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { voteIds } from '@sextant/engine-as/abi/voteExports.ts';
import { optimizeTargets, searchDefaults } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { LIVE_RULES } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { Dices, FolderOpen, Radar, Square } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { formatCount, formatMany } from '../../../format/number.ts';
import { openPage } from '../../../state/navigation.ts';
import { ExchangeWait } from '../../../ui/ExchangeWait.tsx';
import { ChoiceRow } from '../../../ui/Segments.tsx';
import { Field } from '../../../ui/Field.tsx';
import { DefinedTerm } from '../../../ui/Hint.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { NumberField } from '../../../ui/NumberInput.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { draft, runState } from '../backtestState.ts';
import { LoadProgress } from '../LoadProgress.tsx';
import { cancelSearch, openAside, runSearch } from './runSearch.ts';
import { searchDefinitions } from './searchDefinitions.ts';
import { ServerSearches, ServerStart } from './ServerSearches.tsx';
import { DetectableNote } from './Detectable.tsx';
import { Ranges, RulesRangesList } from './Ranges.tsx';
import { TextRanges, whyNoRanges } from '../own/TextRanges.tsx';
import { useRulesText } from '../own/textState.ts';
import { usePlannedTrials } from './plannedTrials.ts';
import { plannedWords, skipMinutes, withoutInSetup } from './minutesOfSearch.ts';
import {
  asideState,
  deepSamplesRule,
  laterCount,
  samplesOf,
  samplesRule,
  searchDraft,
  searchState,
  SEED_MAX,
} from './searchState.ts';
import { whyNoEarlier } from './trainWindow.ts';

const windows = ['earlier', 'scored'] as const;
const windowNames = { earlier: 'Earlier candles', scored: 'Scored candles' };
const places = ['browser', 'server'] as const;
const placeNames = { browser: 'This browser', server: 'Server' };
const walkForwards = ['off', 'anchored', 'rolling'] as const;
const walkForwardNames = { off: 'Off', anchored: 'Anchored', rolling: 'Rolling' };

/** Settings of a search: parameters, size and window. */
export function OptimizationPanel() {
  const { error } = useSnapshot(searchState);
  return (
    <div className="flex flex-col gap-4 p-3">
      <WhatIsSearched />
      <SamplesField />
      <TargetField />
      <SeedField />
      <Choices />
      {error !== null && <Notice tone="error">{error}</Notice>}
      <SearchBar />
      {/* Below the button: content that arrives after a change must not move the button under the pointer. */}
      <DetectableNote />
      <SearchMinutes />
      <AsideSearch />
      <ServerSearches />
    </div>
  );
}

/** A search that ended while another market was chosen. */
function AsideSearch() {
  const { search } = useSnapshot(asideState);
  if (search === null) return null;
  const { label, interval, source } = search.run.loaded;
  return (
    <div className="flex items-center justify-between gap-2">
      <span className="text-muted">Search of {source === 'csv' ? label : `${label}, ${interval}`} is done.</span>
      <button
        type="button"
        className="btn btn-small"
        onClick={() => {
          openAside();
          openPage('backtest', 'results');
        }}
      >
        <FolderOpen size={14} aria-hidden="true" /> Open
      </button>
    </div>
  );
}

/** Which strategy the sets are of. */
function WhatIsSearched() {
  const { strategy, live } = useSnapshot(draft);
  const { own } = live;
  if (strategy === 'own') return <p className="text-label text-muted">Varies the ranges of your rules.</p>;
  if (strategy === 'classic')
    return <p className="text-label text-muted">Varies 13 vote weights, threshold, stop, target and trailing.</p>;
  return (
    <p className="text-label text-muted">
      Varies {voteIds.length} vote weights, threshold, stop, target and trailing of {own?.name ?? LIVE_RULES}. The rest
      follows Strategy Parameters.
    </p>
  );
}

function SamplesField() {
  const { isDeep, isOnServer, samples, deepSamples } = useSnapshot(searchDraft);
  const rule = isDeep ? deepSamplesRule : samplesRule;
  return (
    <div className="flex flex-col gap-2">
      <NumberField
        key={String(isDeep)}
        label={
          <DefinedTerm definition={searchDefinitions.samples} label={isDeep ? 'Deep search samples' : 'Samples'} />
        }
        hint={`${formatCount(rule.min)} to ${formatCount(rule.max)}, default ${formatCount(rule.default)}`}
        value={isDeep ? deepSamples : samples}
        {...rule}
        onChange={(value) => {
          if (isDeep) searchDraft.deepSamples = value;
          else searchDraft.samples = value;
        }}
      />
      <div className="flex items-center justify-between text-label">
        <span>Deep search, to {formatCount(deepSamplesRule.max)} sets</span>
        <Switch label="Deep search" isOn={isDeep} onToggle={(isOn) => (searchDraft.isDeep = isOn)} />
      </div>
      {isDeep && (
        <ChoiceRow
          definition={searchDefinitions.runOn}
          label="Run on"
          options={places}
          value={isOnServer ? 'server' : 'browser'}
          nameOf={(value) => placeNames[value]}
          onSelect={(value) => (searchDraft.isOnServer = value === 'server')}
        >
          <p className="text-label text-muted">
            {isOnServer ? 'Keeps running after you close this tab.' : 'Uses this device. Keep the tab open.'}
          </p>
        </ChoiceRow>
      )}
    </div>
  );
}

function TargetField() {
  const { target } = useSnapshot(searchDraft);
  return (
    <Field label={<DefinedTerm definition={searchDefinitions.target} />}>
      {(ids) => (
        <select
          {...ids}
          className="input"
          value={target}
          onChange={(event) => {
            searchDraft.target = optimizeTargets.find((each) => each === event.target.value) ?? searchDefaults.target;
          }}
        >
          {optimizeTargets.map((each) => (
            <option key={each} value={each}>
              {searchTargets[each].name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

const drawSeed = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % SEED_MAX;

function SeedField() {
  const { seed } = useSnapshot(searchDraft);
  return (
    <div className="grid grid-cols-[1fr_auto] items-start gap-2">
      <NumberField
        label={<DefinedTerm definition={searchDefinitions.seed} />}
        value={seed}
        min={0}
        max={SEED_MAX}
        step={1}
        decimals={0}
        onChange={(value) => (searchDraft.seed = value)}
      />
      <button
        type="button"
        className="btn btn-icon mt-5"
        aria-label="New random seed"
        title="New random seed"
        onClick={() => (searchDraft.seed = drawSeed())}
      >
        <Dices size={14} aria-hidden="true" />
      </button>
    </div>
  );
}

const rangeLists = { classic: <Ranges />, live: <RulesRangesList />, own: <TextRanges /> };

function Choices() {
  const form = useSnapshot(draft);
  const search = useSnapshot(searchDraft);
  const { isRefined, walkForward } = search;
  const { csv } = useSnapshot(runState);
  const reason = whyNoEarlier(form, csv?.parsed.candles.time.length);
  return (
    <>
      <ChoiceRow
        definition={searchDefinitions.trainOn}
        label="Search window"
        options={windows}
        value={reason === null ? search.trainOn : 'scored'}
        nameOf={(value) => windowNames[value]}
        onSelect={(value) => (searchDraft.trainOn = value)}
        disabled={reason === null ? [] : ['earlier']}
      >
        {reason !== null && <p className="text-label text-muted">{reason}</p>}
      </ChoiceRow>
      <ChoiceRow
        definition={searchDefinitions.walkForward}
        label="Walk-forward"
        options={walkForwards}
        value={walkForward}
        nameOf={(value) => walkForwardNames[value]}
        onSelect={(value) => (searchDraft.walkForward = value)}
      />
      <div className="flex items-center justify-between text-label font-medium">
        <DefinedTerm definition={searchDefinitions.refine} />
        <Switch label="Refine the best sets" isOn={isRefined} onToggle={(isOn) => (searchDraft.isRefined = isOn)} />
      </div>
      {isRefined && (
        <div className="flex items-center justify-between gap-2 text-label font-medium">
          <span>
            Guided second half
            <span className="block font-normal text-muted">Fits training data better, but overfits more.</span>
          </span>
          <Switch
            label="Guided second half"
            isOn={search.isGuided}
            onToggle={(isOn) => (searchDraft.isGuided = isOn)}
          />
        </div>
      )}
      {rangeLists[form.strategy]}
    </>
  );
}

/** Own rules without a range have nothing to search. */
function useIsWithoutRanges(): boolean {
  const { strategy } = useSnapshot(draft);
  const { checked } = useRulesText();
  return strategy === 'own' && whyNoRanges(checked) !== null;
}

function SearchBar() {
  const { status } = useSnapshot(searchState);
  const form = useSnapshot(searchDraft);
  const samples = samplesOf(form);
  const later = laterCount(form);
  const { drawn, tried } = usePlannedTrials();
  const isRunning = status === 'running';
  const isWithout = useIsWithoutRanges();
  const start = async () => {
    if (await runSearch()) openPage('backtest', 'results');
  };
  if (form.isDeep && form.isOnServer && !isRunning && !isWithout) return <ServerStart samples={samples} />;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex gap-2">
        <button
          type="button"
          className="btn btn-primary flex-1"
          disabled={isRunning || isWithout}
          onClick={() => void start()}
        >
          <Radar size={14} aria-hidden="true" /> {isRunning ? 'Searching…' : `Optimize ${formatCount(samples)} sets`}
        </button>
        {isRunning && (
          <button type="button" className="btn" onClick={cancelSearch}>
            <Square size={12} aria-hidden="true" /> Cancel
          </button>
        )}
      </div>
      {!isRunning && (
        <p className="text-label text-muted tabular-nums" data-testid="trials-planned">
          {formatCount(samples)} drawn, your set among them
          {later > 0 && `; refinement adds up to ${formatCount(later)}`}
          {tried < drawn
            ? `. Your ranges have ${formatMany(tried, 'set')}: a repeated draw is no new trial`
            : later > 0 && `, ${formatCount(drawn)} trials in all`}
        </p>
      )}
      {isRunning && <SearchProgress />}
    </div>
  );
}

/** Candles on their way, then sets; the progress of minutes is shown with their button. */
function SearchProgress() {
  const { progress, loading, minutes } = useSnapshot(searchState);
  return (
    <>
      {loading !== null && <LoadProgress of="candles" count={loading} />}
      {loading === null && minutes === null && progress !== null && <LoadProgress of="sets" count={progress} />}
      <ExchangeWait />
    </>
  );
}

/** Says how a search treats candles that hold stop and target. While their minutes load, it shows the progress and a button to skip them. */
function SearchMinutes() {
  const form = useSnapshot(draft);
  const { minutes } = useSnapshot(searchState);
  if (minutes === null) {
    return (
      <p className="text-label text-muted" data-testid="search-minutes">
        {plannedWords(withoutInSetup(form), form.costs, intervalMs[form.interval])}
      </p>
    );
  }
  return (
    <div data-testid="search-minutes">
      <LoadProgress of="minutes" count={minutes}>
        <button type="button" className="btn btn-small" onClick={skipMinutes}>
          Skip minute data
        </button>
      </LoadProgress>
    </div>
  );
}
