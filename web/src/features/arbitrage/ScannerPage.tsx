import { FEES_READ_ON, venueFacts, type VenueId, venueIds } from '@sextant/engine-as/abi/costs.ts';
import { ArrowRight, ArrowLeftRight, Coins, RotateCcw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useSnapshot } from 'valtio';
import { messageOf } from '../../api/failure.ts';
import { useWatchedSymbols } from '../../data/market.ts';
import { useWatchlist } from '../../data/watchlist.ts';
import type { ArbitrageResults, ArbitrageScan } from '../../api/types.ts';
import { formatCount, formatMany } from '../../format/number.ts';
import { symbolsOf } from '../../format/symbolList.ts';
import { openPage, openTab } from '../../state/navigation.ts';
import { Field, TextArea } from '../../ui/Field.tsx';
import { Guarded } from '../../ui/Guarded.tsx';
import { DefinedTerm, type Definition } from '../../ui/Hint.tsx';
import { NumberField, NumberInput } from '../../ui/NumberInput.tsx';
import { EmptyState, ErrorState, Panel, SkeletonRows } from '../../ui/Panel.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { Time } from '../../ui/Time.tsx';
import { ScanFacts, ScanFigures } from './ScanFacts.tsx';
import {
  type ArbitrageRun,
  CREDITS_PER_HOUR,
  defaultFeePct,
  forgetFee,
  formError,
  limits,
  resetForm,
  runState,
  scanForm,
  symbolsText,
  texts,
  watchedName,
} from './useArbitrageScan.ts';
import { WatchedPairs } from './WatchedPairs.tsx';

/** Compared symbols and exchanges, their fees, and the findings of the last scan. */
export function ScannerPage({ run }: { run: ArbitrageRun }) {
  return (
    <div className="grid gap-3 lg:grid-cols-[380px_minmax(0,1fr)] lg:items-start">
      <Guarded>
        <FormPanel run={run} />
      </Guarded>
      <div className="flex min-w-0 flex-col gap-3">
        <Guarded>
          <LastScan run={run} />
          <WatchedPairs />
        </Guarded>
      </div>
    </div>
  );
}

function FormPanel({ run }: { run: ArbitrageRun }) {
  const form = useSnapshot(scanForm);
  const text = symbolsText(form, run.traded);
  return (
    <Panel
      title="Compare exchanges"
      aside={
        <button type="button" className="btn btn-ghost btn-small" onClick={resetForm}>
          <RotateCcw size={12} aria-hidden="true" /> Reset
        </button>
      }
      bodyClassName="flex flex-col gap-4 p-3"
    >
      <SymbolsField text={text} traded={run.traded} />
      <div className="grid grid-cols-3 gap-2">
        <NumberField
          label="Minimum spread"
          {...limits.minSpreadPct}
          step={0.05}
          decimals={3}
          unit="%"
          value={form.minSpreadPct}
          onChange={(value) => (scanForm.minSpreadPct = value)}
        />
        <NumberField
          label="Notional"
          {...limits.notionalUsdt}
          step={100}
          decimals={2}
          unit="USDT"
          value={form.notionalUsdt}
          onChange={(value) => (scanForm.notionalUsdt = value)}
        />
        <NumberField
          label={<DefinedTerm definition={holdDefinition} label="Hold" />}
          {...limits.holdHours}
          step={1}
          decimals={1}
          unit="h"
          value={form.holdHours}
          onChange={(value) => (scanForm.holdHours = value)}
        />
      </div>
      <VenueFees chosen={form.venues} fees={form.takerFeePct} />
      <StartButton run={run} text={text} />
      <AutoRefresh run={run} />
    </Panel>
  );
}

const holdDefinition: Definition = {
  name: 'Hold',
  topic: 'setting.arbitrageForm',
  meaning: 'Hours until prices meet and both legs close. Funding until then is charged.',
};

function SymbolsField({ text, traded }: { text: string; traded: readonly string[] }) {
  const [wasLeft, setLeft] = useState(false);
  const watched = useWatchedSymbols();
  const own = useWatchlist().data ?? [];
  const most = Math.min(traded.length, limits.symbolsMax);
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Symbols"
        hint={`${formatCount(symbolsOf(text).length)} of at most ${limits.symbolsMax}, separated by commas`}
        error={wasLeft && (text !== '' || traded.length > 0) ? formError(text) : undefined}
      >
        {(ids) => (
          <TextArea
            {...ids}
            rows={5}
            spellCheck={false}
            className="font-mono text-label"
            value={text}
            onChange={(event) => (scanForm.symbols = event.target.value)}
            onBlur={(event) => {
              setLeft(true);
              // An untouched field follows the market; a typed one shows what will be sent.
              if (scanForm.symbols !== null && formError(event.target.value) === undefined)
                scanForm.symbols = symbolsOf(event.target.value).join(', ');
            }}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <button type="button" className="btn btn-small" disabled={most === 0} onClick={() => (scanForm.symbols = null)}>
          All traded ({formatCount(most)})
        </button>
        <button
          type="button"
          className="btn btn-small"
          disabled={watched.length === 0}
          onClick={() => (scanForm.symbols = watched.join(', '))}
        >
          {watchedName(own, watched)} ({formatCount(watched.length)})
        </button>
        <button type="button" className="btn btn-small btn-ghost" onClick={() => (scanForm.symbols = '')}>
          Clear
        </button>
      </div>
    </div>
  );
}

interface FeesProps {
  chosen: readonly VenueId[];
  fees: Readonly<Partial<Record<VenueId, number>>>;
}

/** The exchanges to compare, with their taker fees. */
function VenueFees({ chosen, fees }: FeesProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 flex w-full justify-between text-label font-medium">
        <span>Exchanges</span>
        <span className="text-muted">Taker fee</span>
      </legend>
      {venueIds.map((venue) => (
        <VenueRow key={venue} venue={venue} chosen={chosen} fees={fees} />
      ))}
      <p className="text-label text-muted">
        Defaults are the lowest tiers as read on {FEES_READ_ON}. Enter your own fees for at least two exchanges.
      </p>
    </fieldset>
  );
}

function VenueRow({ venue, chosen, fees }: FeesProps & { venue: VenueId }) {
  const { name, tier, feeSource } = venueFacts[venue];
  const isChosen = chosen.includes(venue);
  const isOwn = fees[venue] !== undefined && fees[venue] !== defaultFeePct(venue);
  return (
    <div className="flex min-h-7 items-center gap-2">
      <label className="flex flex-1 items-center gap-2">
        <input
          type="checkbox"
          className="size-4 accent-[var(--accent)]"
          checked={isChosen}
          // A comparison needs two exchanges.
          disabled={isChosen && chosen.length === 2}
          onChange={({ currentTarget: { checked } }) => {
            scanForm.venues = venueIds.filter((each) => (each === venue ? checked : scanForm.venues.includes(each)));
          }}
        />
        {name}
      </label>
      <span className="text-label text-muted">
        {isOwn ? (
          <button
            type="button"
            className="btn btn-ghost btn-small"
            aria-label={`Default fee of ${name}`}
            onClick={() => forgetFee(venue)}
          >
            Default
          </button>
        ) : (
          <DefinedTerm
            definition={{
              topic: 'setting.arbitrageForm',
              name: `${name}, ${tier}`,
              meaning: `${feeSource}, read on ${FEES_READ_ON}.`,
            }}
            label={tier}
          />
        )}
      </span>
      <span className="w-24">
        <NumberInput
          aria-label={`Taker fee of ${name}, percent`}
          isSmall
          isDisabled={!isChosen}
          {...limits.takerFeePct}
          step={0.005}
          decimals={4}
          unit="%"
          value={fees[venue] ?? defaultFeePct(venue)}
          onChange={(value) => (scanForm.takerFeePct[venue] = value)}
        />
      </span>
    </div>
  );
}

function StartButton({ run, text }: { run: ArbitrageRun; text: string }) {
  const { isBusy, credits, failure, start } = run;
  const isBroke = credits !== undefined && credits <= 0;
  const isWaiting = text === '' && run.traded.length === 0 && scanForm.symbols === null;
  return (
    <div className="flex flex-col gap-2">
      <button
        type="button"
        className="btn btn-primary h-10"
        disabled={isBusy || isBroke || credits === undefined || isWaiting}
        onClick={() => start(true)}
      >
        <ArrowLeftRight size={16} aria-hidden="true" />
        {isBusy ? 'Scanning...' : isBroke ? texts.noCredits : `Scan exchanges (${texts.price})`}
      </button>
      {isBroke && (
        <button type="button" className="btn" onClick={() => openTab('funds', 'purchase')}>
          <Coins size={14} aria-hidden="true" /> Add Credits
        </button>
      )}
      <ScanProgress run={run} />
      {failure !== null && <ErrorState text={failure} onRetry={() => start(true)} />}
      <p className="text-label text-muted">Pay only for results. An empty or failed scan returns the credit.</p>
    </div>
  );
}

/** Filled to 90 % by the steps of the scan, and to the end by its response. */
export function ScanProgress({ run: { state } }: { run: ArbitrageRun }) {
  if (state.kind !== 'scanning' && state.kind !== 'done') return null;
  return (
    <div className="flex items-center gap-3">
      <progress aria-label="Scan progress" className="progress flex-1" value={state.pct} max={100} />
      <span role="status" className="w-10 text-right text-label tabular-nums text-muted">
        {state.pct} %
      </span>
    </div>
  );
}

/** @param isShort without the note on where it runs, for a row beside others */
export function AutoRefresh({ run, isShort = false }: { run: ArbitrageRun; isShort?: boolean }) {
  const { isAuto, hasResults, credits } = run;
  const cost = `up to ${CREDITS_PER_HOUR} credits per hour`;
  const lasts =
    credits === undefined
      ? ''
      : `, ${formatMany(credits, 'credit')} last at least ${formatCount(credits / (CREDITS_PER_HOUR / 60))} min`;
  return (
    <div className={isShort ? '' : 'border-t border-line pt-3'}>
      <div className="flex flex-wrap items-center gap-x-3">
        <Switch label="Auto-refresh" isOn={isAuto} onToggle={(isOn) => (runState.isAuto = isOn)} />
        <span className={`whitespace-nowrap ${isShort ? '' : 'font-medium'}`}>Auto-refresh every 30 s</span>
        <span className="text-label whitespace-nowrap text-muted">{cost}</span>
      </div>
      {!isShort && (
        <p className="mt-1 text-label text-muted">
          {isAuto && !hasResults
            ? 'Starts with the first results.'
            : `Runs while this tab is visible${lasts}. Off after a reload.`}
        </p>
      )}
    </div>
  );
}

function LastScan({ run }: { run: ArbitrageRun }) {
  const { last, emptyAt } = run;
  const scan = last.data?.scan ?? null;
  return (
    <>
      {last.error !== null && (
        <ErrorState text={messageOf(last.error, 'Could not load the last scan.')} onRetry={() => void last.refetch()} />
      )}
      {last.isPending && <SkeletonRows rows={5} />}
      {emptyAt !== null && <NoResults at={emptyAt} />}
      {last.data !== undefined && scan === null && emptyAt === null && (
        <Panel title="Last scan">
          <EmptyState text="No scan yet. Compare prices on all exchanges, net of fees, depth and funding." />
        </Panel>
      )}
      {scan?.results != null && <Summary scan={scan} results={scan.results} />}
    </>
  );
}

export function NoResults({ at }: { at: string }): ReactNode {
  return (
    <div className="panel px-3 py-2">
      <p>{texts.nothing}</p>
      <p className="text-label text-muted">
        <Time at={at} />, no credit spent. Lower the minimum spread or add symbols.
      </p>
    </div>
  );
}

function Summary({ scan, results }: { scan: ArbitrageScan; results: ArbitrageResults }) {
  return (
    <Panel title="Last scan" aside={<Time at={scan.createdAt} />} bodyClassName="flex flex-col gap-3 p-3">
      <ScanFigures results={results} notionalUsdt={scan.params.notionalUsdt} />
      <button type="button" className="btn self-start" onClick={() => openPage('arb', 'results')}>
        Open {formatMany(results.items.length, 'result')}
        <ArrowRight size={14} aria-hidden="true" />
      </button>
      <ScanFacts results={results} />
    </Panel>
  );
}
