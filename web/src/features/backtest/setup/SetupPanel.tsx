// Long because it is one form with all its fields.
import { Combobox } from '@base-ui/react/combobox';
import { intervalMs, intervals } from '@sextant/engine-as/abi/intervals.ts';
import { HISTORY_CANDLES_MAX, HISTORY_CANDLES_MIN } from '@sextant/workers/src/core/limits.ts';
import { toSymbolCase } from '@sextant/workers/src/core/symbolPattern.ts';
import { LAB_LOADED, labScoredShare } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { useEffect, useId, useRef, useState } from 'react';
import { useSnapshot } from 'valtio';
import { messageOf } from '../../../api/failure.ts';
import { tradedSymbols, useSymbols } from '../../../data/symbols.ts';
import { serverClock } from '../../../api/serverClock.ts';
import { formatCount } from '../../../format/number.ts';
import { Field } from '../../../ui/Field.tsx';
import { DefinedTerm, type Definition } from '../../../ui/Hint.tsx';
import { NumberField } from '../../../ui/NumberInput.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { SymbolOptions, SymbolTrigger } from '../../../ui/SymbolOptions.tsx';
import {
  draft,
  historyCounts,
  plannedWindow,
  rangeOf,
  runState,
  type StrategyChoice,
  strategyChoices,
  type WindowKind,
  windowKinds,
} from '../backtestState.ts';
import type { OwnVotes } from '../live/liveSettings.ts';
import { MyRules } from '../live/MyRules.tsx';
import { loadAndRun } from '../runner.ts';
import { CostFields } from './CostFields.tsx';
import { CsvDrop } from './CsvDrop.tsx';
import { newestDays } from './dateRange.ts';
import { scoredOf } from './scored.ts';
import { WindowStrip } from './WindowStrip.tsx';

const sources = ['exchange', 'csv'] as const;
const sourceNames = { exchange: 'Exchange candles', csv: 'Own CSV file' };

export function SetupPanel() {
  const { source } = useSnapshot(draft);
  return (
    <div className="flex flex-col gap-4 p-3">
      <StrategyField />
      <MyRules />
      <Segments
        label="Candles from"
        options={sources}
        value={source}
        nameOf={(value) => sourceNames[value]}
        onSelect={(value) => {
          draft.source = value;
        }}
      />
      {source === 'exchange' ? <ExchangeFields /> : <CsvDrop />}
      <CostFields />
    </div>
  );
}

const strategyNames = { classic: 'Classic', live: 'Live rules', own: 'Own rules' };
const CLASSIC_TEXT = '13 votes, one interval, percent stop and target, fixed size.';

/** Describes the chosen rules; with own weights they differ from what the scanner trades. */
export function strategyText(strategy: StrategyChoice, own: Pick<OwnVotes, 'name' | 'version'> | null): string {
  if (strategy === 'classic') return CLASSIC_TEXT;
  if (strategy === 'own') return 'Your rules as text: write them under Strategy Parameters.';
  if (own === null)
    return "The scanner's rules: 17 votes with your tuning, several intervals, ATR exits, size by risk.";
  const votes = own.version === '' ? 'The votes of the scanner with your own weights' : `The votes of ${own.name}`;
  return `${votes}. Intervals, entries and exits: see Parameters.`;
}

/** Which rules decide. */
function StrategyField() {
  const { strategy, live } = useSnapshot(draft);
  return (
    <div className="flex flex-col gap-1">
      <span className="text-label font-medium">Strategy</span>
      <Segments
        label="Strategy"
        options={strategyChoices}
        value={strategy}
        nameOf={(value) => strategyNames[value]}
        onSelect={(value) => {
          if (value === 'live') draft.live.tuning = null;
          draft.strategy = value;
        }}
      />
      <p className="text-label text-muted">{strategyText(strategy, live.own)}</p>
    </div>
  );
}

function ExchangeFields() {
  const form = useSnapshot(draft);
  const { symbol, interval, window } = form;
  const planned = plannedWindow(form);
  /** Another market is loaded at once; after Clear the Run button decides. */
  const changed = () => {
    const { run, phase, isOpening } = runState;
    const isLive = run !== null || phase.name !== 'idle' || isOpening;
    if (isLive && plannedWindow(draft) !== undefined) void loadAndRun({ isRecentEnough: true });
  };
  return (
    <div className="flex flex-col gap-3">
      <SymbolField
        value={symbol}
        onSelect={(next) => {
          draft.symbol = next;
          changed();
        }}
      />
      <div className="flex flex-col gap-1">
        <span className="text-label font-medium">Interval</span>
        <Segments
          label="Interval"
          options={intervals}
          value={interval}
          onSelect={(next) => {
            draft.interval = next;
            changed();
          }}
        />
      </div>
      <div className="grid grid-cols-[1fr_auto] items-end gap-3">
        <div className="flex flex-col gap-1">
          <span className="text-label font-medium">Window</span>
          <Segments
            label="Window"
            options={windowKinds}
            value={window}
            nameOf={(kind) => windowNames[kind]}
            onSelect={(kind) => {
              chooseWindow(kind);
              changed();
            }}
          />
        </div>
        <p className="flex h-8 items-center rounded border border-line bg-row-hover px-3 pointer-coarse:h-11.5">
          {planned === undefined ? 'no candles' : `${formatCount(planned.scored)} candles`}
        </p>
      </div>
      {window === 'range' ? <RangeFields onChange={changed} /> : <HistoryField onChange={changed} />}
      {planned !== undefined && <WindowStrip />}
    </div>
  );
}

const windowNames: Record<WindowKind, string> = { count: 'Newest', range: 'Dates' };

/** Dates not chosen yet start as the days of the newest candles. */
function chooseWindow(kind: WindowKind): void {
  draft.window = kind;
  if (kind !== 'range' || draft.range.from !== '') return;
  const nowMs = serverClock.now();
  const lengthMs = scoredOf(draft.historyCount) * intervalMs[draft.interval];
  draft.range = newestDays(nowMs, lengthMs, draft.interval);
}

const rangeNames = { from: 'First day (UTC)', to: 'Last day (UTC, included)' } as const;

/** First and last scored day; an error is shown at the field to change. */
function RangeFields({ onChange }: { onChange: () => void }) {
  const form = useSnapshot(draft);
  const reading = rangeOf(form);
  const bad = reading?.ok === false ? reading.error : undefined;
  return (
    <div className="grid grid-cols-2 items-start gap-3">
      {(['from', 'to'] as const).map((end) => (
        <Field key={end} label={rangeNames[end]} error={bad?.field === end ? bad.message : undefined}>
          {(ids) => (
            <input
              {...ids}
              type="date"
              className="input"
              value={form.range[end]}
              onChange={(event) => {
                draft.range[end] = event.target.value;
                onChange();
              }}
            />
          )}
        </Field>
      ))}
    </div>
  );
}

const definition: Definition = {
  topic: 'setting.history',
  name: 'History',
  meaning: `Closed candles to load, stored in this browser for offline runs. The newest ${labScoredShare} are scored. On 1m, two more days load for daily votes.`,
};

/** How many candles to load: the standard history or a longer one. */
function HistoryField({ onChange }: { onChange: () => void }) {
  const { historyCount } = useSnapshot(draft);
  const isPreset = historyCounts.some((count) => count === historyCount);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <div className="grid grid-cols-2 items-start gap-3">
      <Field label={<DefinedTerm definition={definition} />}>
        {(ids) => (
          <select
            {...ids}
            className="input"
            value={historyCount}
            onChange={(event) => {
              draft.historyCount = Number(event.target.value);
              onChange();
            }}
          >
            {!isPreset && <option value={historyCount}>Own number</option>}
            {historyCounts.map((count) => (
              <option key={count} value={count}>
                {formatCount(count)}
                {count === LAB_LOADED ? ', standard' : ''}
              </option>
            ))}
          </select>
        )}
      </Field>
      <NumberField
        label="Candles loaded"
        hint={`${formatCount(HISTORY_CANDLES_MIN)} to ${formatCount(HISTORY_CANDLES_MAX)}`}
        value={historyCount}
        min={HISTORY_CANDLES_MIN}
        max={HISTORY_CANDLES_MAX}
        step={100}
        decimals={0}
        onChange={(value) => {
          draft.historyCount = value;
          // Each typed digit changes the number: waits until typing stops.
          clearTimeout(timer.current);
          timer.current = setTimeout(onChange, TYPED_MS);
        }}
      />
    </div>
  );
}

/** Without input for this long, typing has stopped. */
const TYPED_MS = 700;

/** Resolves a typed name: itself, its pair with USDT, or the only symbol with this prefix. */
function symbolMeant(typed: string, symbols: readonly string[]): string | undefined {
  const name = typed.trim();
  const exact = [name, `${name}USDT`].find((each) => symbols.includes(each));
  if (exact !== undefined || name === '') return exact;
  const started = symbols.filter((symbol) => symbol.startsWith(name));
  return started.length === 1 ? started[0] : undefined;
}

/** Search over every perpetual the market trades. Input is upper-cased. */
function SymbolField({ value, onSelect }: { value: string; onSelect: (symbol: string) => void }) {
  const id = useId();
  const universe = useSymbols();
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  const [unknown, setUnknown] = useState<string | null>(null);
  // Restoring or opening a run changes the symbol from outside.
  if (shown !== value) {
    setShown(value);
    setTyped(value);
    setUnknown(null);
  }
  const symbols = universe.data === undefined ? [] : tradedSymbols(universe.data);
  const leave = () => {
    if (typed === value) return;
    const meant = symbolMeant(typed, symbols);
    if (meant === undefined) {
      setUnknown(typed === '' ? null : typed);
      setTyped(value);
      return;
    }
    setTyped(meant);
    if (meant !== value) onSelect(meant);
  };
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-label font-medium">
        Symbol
      </label>
      <Combobox.Root
        items={symbols}
        // The list opens whole: the symbol that is chosen already is no search.
        filter={(symbol: string, query) => query === value || symbol.includes(toSymbolCase(query.trim()))}
        autoHighlight
        value={value}
        onValueChange={(symbol: string | null) => {
          if (symbol !== null) onSelect(symbol);
        }}
        inputValue={typed}
        onInputValueChange={(text, { reason }) => {
          setTyped(toSymbolCase(text));
          // On blur the field returns to the selected symbol: the message about the other one stays.
          if (reason === 'input-change') setUnknown(null);
        }}
      >
        <div className="relative">
          <Combobox.Input
            id={id}
            className="input pr-8 font-medium"
            placeholder="BTCUSDT"
            spellCheck={false}
            onFocus={(event) => event.currentTarget.select()}
            aria-invalid={unknown !== null}
            aria-describedby={`${id}-note`}
            onBlur={leave}
          />
          <SymbolTrigger />
        </div>
        <SymbolOptions
          emptyText={
            universe.error === null
              ? 'No match. Try another name.'
              : messageOf(universe.error, 'The symbols did not load.')
          }
        />
      </Combobox.Root>
      <p id={`${id}-note`} className={`text-label ${unknown === null ? 'text-muted' : 'text-down'}`}>
        {unknown !== null
          ? `${unknown} is unknown. Using ${value}.`
          : universe.data !== undefined
            ? `${formatCount(universe.data.counts.trading)} USDT perpetuals`
            : universe.error === null
              ? 'Loading symbols…'
              : messageOf(universe.error, 'The symbols did not load.')}
      </p>
    </div>
  );
}
