import {
  PORTFOLIO_SAMPLES,
  PORTFOLIO_SEED_MAX,
  type PortfolioRangeName,
  portfolioRangeRules,
  portfolioTargets,
} from '@sextant/workers/src/protocol/portfolioSearch.ts';
import { Radar, Square } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { portfolioProgress } from '../../../../data/portfolioSearch.ts';
import { useStrategies } from '../../../../data/strategies.ts';
import { formatCount } from '../../../../format/number.ts';
import { CheckBox } from '../../../../ui/CheckBox.tsx';
import { ExchangeWait } from '../../../../ui/ExchangeWait.tsx';
import { Field } from '../../../../ui/Field.tsx';
import { NumberField, NumberInput } from '../../../../ui/NumberInput.tsx';
import { LoadProgress } from '../../LoadProgress.tsx';
import {
  hasOtherExits,
  isOfOwnRules,
  portfolioDraft,
  portfolioState,
  rangedParameters,
  readSymbols,
} from '../portfolioState.ts';
import {
  namesFor,
  portfolioSearch,
  portfolioSearchForm,
  rangesOf,
  runPortfolioSearch,
  searchableOf,
  stopPortfolioSearch,
} from './portfolioSearchState.ts';
import { rangeNames, targetName } from './searchText.ts';

/** Which parameters a search varies and how many sets it draws. */
export function SearchFields() {
  const { strategy } = useSnapshot(portfolioDraft);
  const list = useStrategies().data;
  const isOwn = isOfOwnRules(strategy, list);
  return (
    <div className="flex flex-col gap-3">
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 text-label font-medium">Search, from and to</legend>
        <div className="grid gap-x-6 gap-y-2 xl:grid-cols-2">
          {namesFor(isOwn).map((name) => (
            <RangeFields key={name} name={name} />
          ))}
        </div>
        {isOwn && (
          <TextRanges parameters={rangedParameters(strategy, list)} isLeftOut={hasOtherExits(strategy, list)} />
        )}
      </fieldset>
      <SizeFields />
      <SearchBar />
    </div>
  );
}

/** What the text of own rules adds to the search. */
function TextRanges({
  parameters,
  isLeftOut,
}: {
  parameters: ReturnType<typeof rangedParameters>;
  isLeftOut: boolean;
}) {
  if (isLeftOut)
    return (
      <p className="text-label text-muted" data-testid="ranges-left-out">
        Searches slots only: these rules have other exits than their text. Save the text again to search its ranges.
      </p>
    );
  if (parameters.length === 0)
    return (
      <p className="text-label text-muted">
        To search your rules too, write a range into the text:{' '}
        <code className="font-mono">fast = 12 [5..50 step 1]</code>
      </p>
    );
  return (
    <p className="text-label" data-testid="text-ranges">
      From the text:{' '}
      {parameters.map(({ name, from, to, step }, k) => (
        <span key={name}>
          {k > 0 && ', '}
          <code className="font-mono">{name}</code> {from} to {to} step {step}
        </span>
      ))}
    </p>
  );
}

function RangeFields({ name }: { name: PortfolioRangeName }) {
  const range = useSnapshot(portfolioSearchForm).ranges[name];
  const { min, max, step } = portfolioRangeRules[name];
  const bounds = { min, max, step, decimals: step === 1 ? 0 : 2 };
  const form = portfolioSearchForm.ranges[name];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_5rem_5rem] items-center gap-2">
      <CheckBox label={rangeNames[name]} isOn={range.isOn} onToggle={(isOn) => (form.isOn = isOn)} />
      <NumberInput
        {...bounds}
        isSmall
        isDisabled={!range.isOn}
        aria-label={`${rangeNames[name]}, from`}
        value={range.min}
        onChange={(value) => (form.min = value)}
      />
      <NumberInput
        {...bounds}
        isSmall
        isDisabled={!range.isOn}
        aria-label={`${rangeNames[name]}, to`}
        value={range.max}
        onChange={(value) => (form.max = value)}
      />
    </div>
  );
}

function SizeFields() {
  const { samples, seed, target } = useSnapshot(portfolioSearchForm);
  const { min, max } = PORTFOLIO_SAMPLES;
  return (
    <div className="grid grid-cols-2 gap-3 md:grid-cols-3">
      <NumberField
        label="Sets"
        hint={`${formatCount(min)} to ${formatCount(max)}, yours among them`}
        value={samples}
        min={min}
        max={max}
        step={50}
        decimals={0}
        onChange={(value) => (portfolioSearchForm.samples = value)}
      />
      <Field label="Best by">
        {(ids) => (
          <select
            {...ids}
            className="input"
            value={target}
            onChange={({ currentTarget: { value } }) => {
              portfolioSearchForm.target = portfolioTargets.find((each) => each === value) ?? 'pnl';
            }}
          >
            {portfolioTargets.map((each) => (
              <option key={each} value={each}>
                {targetName(each)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <NumberField
        label="Seed"
        hint="The same seed draws the same sets"
        value={seed}
        min={0}
        max={PORTFOLIO_SEED_MAX}
        step={1}
        decimals={0}
        onChange={(value) => (portfolioSearchForm.seed = value)}
      />
    </div>
  );
}

function SearchBar() {
  const form = useSnapshot(portfolioSearchForm);
  const { status } = useSnapshot(portfolioSearch);
  const { source, symbols, strategy } = useSnapshot(portfolioDraft);
  const isBusy = useSnapshot(portfolioState).status === 'running';
  const progress = useSnapshot(portfolioProgress);
  const list = useStrategies().data;
  const isRunning = status === 'running';
  const read = rangesOf(form, searchableOf(strategy, list));
  const problem = 'error' in read ? read.error : null;
  const isUnread = source === 'named' && 'error' in readSymbols(symbols);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <button
        type="button"
        className="btn btn-primary max-md:flex-1"
        disabled={isRunning || isBusy || isUnread || problem !== null}
        onClick={() => void runPortfolioSearch(list)}
      >
        <Radar size={14} aria-hidden="true" /> {isRunning ? 'Searching…' : `Search ${formatCount(form.samples)} sets`}
      </button>
      {isRunning && (
        <button type="button" className="btn" onClick={stopPortfolioSearch}>
          <Square size={12} aria-hidden="true" /> Stop
        </button>
      )}
      {/* Of one height, so that the result below stays where it is. */}
      <div className="flex min-h-9 min-w-60 flex-1 flex-col justify-center gap-1 text-label text-muted tabular-nums">
        {isRunning ? (
          <>
            {progress.total === 0 ? 'Loading candles…' : <LoadProgress of="sets" count={progress} />}
            <ExchangeWait />
          </>
        ) : (
          (problem ??
          (isBusy ? 'A run is in progress. Cancel it under One run.' : null) ??
          'Searches the first 70 % of the candles. The rest shows how the best set does unseen.')
        )}
      </div>
    </div>
  );
}
