import { intervals } from '@sextant/engine-as/abi/intervals.ts';
import { RUN_CANDLES_MIN } from '@sextant/workers/src/core/limits.ts';
import { symbolsOf } from '@sextant/workers/src/signals/openingRules.ts';
import { LIVE_RULES } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { Play, RotateCcw, Square } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { usePreferences } from '../../../data/preferences.ts';
import { useStrategies } from '../../../data/strategies.ts';
import { ExchangeWait } from '../../../ui/ExchangeWait.tsx';
import { Field } from '../../../ui/Field.tsx';
import { NumberField } from '../../../ui/NumberInput.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import {
  AUTO,
  autoName,
  cancelPortfolio,
  chooseStrategy,
  fixedInterval,
  LIVE,
  portfolioDraft,
  portfolioState,
  readSymbols,
  runPortfolio,
  setOfForm,
  shownLimits,
  symbolSources,
} from './portfolioState.ts';
import { portfolioModes, portfolioSearch, portfolioSearchForm } from './search/portfolioSearchState.ts';
import { SearchFields } from './search/SearchFields.tsx';
import { levelsText } from './search/searchText.ts';

const sourceNames = { universe: 'My universe', named: 'Symbols' };
/** Candles of each symbol; as the API. */
const CANDLES_MAX = 5000;

const limitFields = [
  { key: 'positionsMax', label: 'Open positions', max: 128, step: 1, decimals: 0 },
  { key: 'openingsMax', label: 'Openings in one candle', max: 128, step: 1, decimals: 0 },
  { key: 'dailyLossPct', label: 'Daily loss', max: 100, step: 0.5, decimals: 1, unit: '%' },
  { key: 'stopStreak', label: 'Stops in a row', max: 50, step: 1, decimals: 0 },
  { key: 'cooldownMinutes', label: 'Cooldown', max: 10_080, step: 15, decimals: 0, unit: 'min' },
  { key: 'drawdownPct', label: 'Drawdown', max: 100, step: 1, decimals: 1, unit: '%' },
  { key: 'grossMaxFraction', label: 'Gross exposure', max: 100, step: 0.5, decimals: 2, unit: '× balance' },
  { key: 'netMaxFraction', label: 'Net exposure', max: 100, step: 0.5, decimals: 2, unit: '× balance' },
  { key: 'stopLossMaxFraction', label: 'Loss at all stops', max: 1, step: 0.05, decimals: 2, unit: '× balance' },
] as const;

const modeNames = { run: 'One run', search: 'Search sets' };

/** What runs, over which symbols, within which limits. */
export function PortfolioForm() {
  const { mode } = useSnapshot(portfolioSearchForm);
  return (
    <form
      aria-label="Portfolio"
      className="flex flex-col gap-4 border-b border-line bg-panel p-3"
      onSubmit={(event) => event.preventDefault()}
    >
      <div className="grid gap-4 lg:grid-cols-2">
        <SymbolFields />
        <StrategyFields />
      </div>
      <LimitFields />
      <SetLine />
      <Segments
        isFitted
        label="Run or search"
        options={portfolioModes}
        value={mode}
        nameOf={(value) => modeNames[value]}
        onSelect={(value) => {
          portfolioSearchForm.mode = value;
        }}
      />
      {mode === 'run' ? <RunBar /> : <SearchFields />}
    </form>
  );
}

function SymbolFields() {
  const { source, symbols, limit } = useSnapshot(portfolioDraft);
  const preferences = usePreferences().data ?? null;
  const read = readSymbols(symbols);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-col gap-1">
        <span className="text-label font-medium">Symbols</span>
        <Segments
          label="Symbols from"
          options={symbolSources}
          value={source}
          nameOf={(value) => sourceNames[value]}
          onSelect={(value) => {
            portfolioDraft.source = value;
            if (value === 'named' && symbols === '')
              portfolioDraft.symbols = symbolsOf(preferences?.whitelist ?? '').join(', ');
          }}
        />
        {source === 'universe' && (
          <p className="text-label text-muted">As a scan: your whitelist, or the symbols with the most turnover, up to 128.</p>
        )}
      </div>
      {source === 'named' && (
        <Field
          label="Names"
          hint="Separated by commas, at most 128"
          error={'error' in read && symbols !== '' ? read.error : undefined}
        >
          {(ids) => (
            <input
              {...ids}
              className="input"
              autoComplete="off"
              spellCheck={false}
              placeholder="BTCUSDT, ETHUSDT"
              value={symbols}
              onChange={({ currentTarget: { value } }) => {
                portfolioDraft.symbols = value;
              }}
            />
          )}
        </Field>
      )}
      <NumberField
        label="Candles of each symbol"
        hint={`${RUN_CANDLES_MIN} to ${CANDLES_MAX.toLocaleString('en-US')}; the first ones warm the indicators up`}
        value={limit}
        min={RUN_CANDLES_MIN}
        max={CANDLES_MAX}
        step={100}
        decimals={0}
        onChange={(value) => {
          portfolioDraft.limit = value;
        }}
      />
    </div>
  );
}

function StrategyFields() {
  const { strategy, interval } = useSnapshot(portfolioDraft);
  const list = useStrategies().data;
  const fixed = fixedInterval(strategy, list);
  const saved = list?.strategies ?? [];
  return (
    <div className="flex flex-col gap-3">
      <Field label="Strategy" hint="Save rules on the other pages of this tab first.">
        {(ids) => (
          <select
            {...ids}
            className="input"
            value={strategy}
            onChange={({ currentTarget: { value } }) => chooseStrategy(value)}
          >
            <option value={AUTO}>What Auto trades: {autoName(list)}</option>
            <option value={LIVE}>{LIVE_RULES}, standard weights</option>
            {saved.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div className="flex flex-col gap-1">
        <span className="text-label font-medium">Interval</span>
        <Segments
          label="Interval of the portfolio"
          options={intervals}
          value={fixed ?? interval}
          disabled={fixed === null ? [] : intervals.filter((name) => name !== fixed)}
          onSelect={(value) => {
            portfolioDraft.interval = value;
          }}
        />
        {fixed !== null && <p className="text-label text-muted">These rules decide on {fixed} candles.</p>}
      </div>
    </div>
  );
}

function LimitFields() {
  const { limits } = useSnapshot(portfolioDraft);
  const preferences = usePreferences().data ?? null;
  const shown = shownLimits(limits, preferences);
  if (shown === null) return null;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">Limits of the account</legend>
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <span className="text-label font-medium">Limits; 0 is off</span>
        {limits === null ? (
          <span className="text-label text-muted">As in your Auto settings</span>
        ) : (
          <button
            type="button"
            className="btn btn-small"
            onClick={() => {
              portfolioDraft.limits = null;
            }}
          >
            <RotateCcw size={14} aria-hidden="true" /> Use my Auto settings
          </button>
        )}
      </div>
      <div className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-5">
        {limitFields.map(({ key, ...field }) => (
          <NumberField
            key={key}
            {...field}
            min={0}
            value={shown[key]}
            onChange={(value) => {
              if (value !== shown[key]) portfolioDraft.limits = { ...shown, [key]: value };
            }}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** Levels or values of a searched set as they are sent: the form has no fields for them. */
function SetLine() {
  const draft = useSnapshot(portfolioDraft);
  const set = setOfForm(draft, useStrategies().data);
  if (set === null) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 text-label" data-testid="portfolio-set">
      <span>
        From a search: <b className="tabular-nums">{levelsText(set)}</b>
      </span>
      <button
        type="button"
        className="btn btn-small"
        onClick={() => {
          portfolioDraft.set = null;
        }}
      >
        <RotateCcw size={14} aria-hidden="true" />{' '}
        {set.values === undefined ? "Use the strategy's levels" : "Use the text's values"}
      </button>
    </div>
  );
}

function RunBar() {
  const { status } = useSnapshot(portfolioState);
  const draft = useSnapshot(portfolioDraft);
  const { source, symbols, strategy, limits } = draft;
  const isSearching = useSnapshot(portfolioSearch).status === 'running';
  const list = useStrategies().data;
  const isRunning = status === 'running';
  const hasSet = setOfForm(draft, list) !== null;
  const label = strategy === AUTO && limits === null && !hasSet ? 'Backtest my Auto rules' : 'Run portfolio';
  const isUnread = source === 'named' && 'error' in readSymbols(symbols);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {isRunning && <ExchangeWait />}
      <button
        type="button"
        className="btn btn-primary max-md:flex-1"
        disabled={isRunning || isSearching || isUnread}
        onClick={() => void runPortfolio(list)}
      >
        <Play size={14} aria-hidden="true" /> {isRunning ? 'Loading and running…' : label}
      </button>
      {isRunning && (
        <button type="button" className="btn" onClick={cancelPortfolio}>
          <Square size={12} aria-hidden="true" /> Cancel
        </button>
      )}
      <span className="text-label text-muted">
        {isSearching
          ? 'A search is running. Stop it under Search sets.'
          : 'Uses balance, leverage and base of your settings. Saved rules use their own risk.'}
      </span>
    </div>
  );
}
