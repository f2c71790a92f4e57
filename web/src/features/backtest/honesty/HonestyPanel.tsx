import type { HonestyFigure, HonestyLevel, HonestyResult } from '@sextant/workers/src/protocolHonesty.ts';
import { honestyRegistry } from '@sextant/engine-as/abi/honesty.ts';
import { ChevronDown, CircleHelp, Dices, Scale, ShieldCheck } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useSnapshot } from 'valtio';
import { formatCount, formatFixed, formatMoney, formatPercent, NO_VALUE } from '../../../format/number.ts';
import { DefinedTerm, type Definition } from '../../../ui/Hint.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import type { Run } from '../backtestState.ts';
import type { SearchRun } from '../search/searchState.ts';
import { useWalkForward, type WalkForward } from '../search/walkForwardState.ts';
import { bestRunOf, honestyState, isBestOf, isStartOf, judgeSoon, stopJudging, verdictWords } from './honestyState.ts';

type Unit = (typeof honestyRegistry)[number]['unit'];

const formats: Record<Unit, (value: number) => string> = {
  probability: (value) => formatPercent(value),
  fraction: (value) => formatPercent(value, true),
  'sharpe per bar': (value) => formatFixed(value, 3),
  sigma: (value) => `${formatFixed(value, 2)} σ`,
  count: (value) => formatCount(value),
  years: (value) => `${formatFixed(value, 1)} years`,
  bars: (value) => `${formatCount(value)} candles`,
  score: (value) => formatFixed(value, 2),
};

/** Shares that are no change and carry no sign; a fee is a matter of hundredths of a percent. */
const ownFormats: Partial<Record<HonestyFigure['id'], (value: number) => string>> = {
  resampledDrawdown: (value) => formatPercent(value),
  breakEvenFee: (value) => `${formatFixed(value * 100, 3)}\u00a0%`,
};

interface FigureText {
  id: string;
  definition: Definition;
  value: string;
  /** Band, standard error, or why there is no value. */
  note: string;
  says: HonestyFigure['says'];
}

/** A figure as the panel shows it: never a number without what it rests on. @param isOfSearch the judged set was found by a search */
export function figureText(figure: HonestyFigure, isOfSearch: boolean): FigureText {
  const entry = honestyRegistry.find(({ id }) => id === figure.id);
  if (entry === undefined) throw new Error(`${figure.id} is no figure of the registry`);
  const { name, definition: meaning, formula, source } = entry;
  const definition: Definition = {
    topic: `honesty.${entry.id}`,
    name,
    meaning: `${meaning} ${figure.words}`,
    formula: `${formula}. ${source}`,
  };
  const format = ownFormats[figure.id] ?? formats[entry.unit];
  if (figure.value === null) {
    return { id: figure.id, definition, value: NO_VALUE, note: figure.reason ?? 'not enough data', says: figure.says };
  }
  return {
    id: figure.id,
    definition,
    value: format(figure.value),
    note: noteOf(figure, format, isOfSearch),
    says: figure.says,
  };
}

/** Which candles a figure speaks of. */
const windowNames: Record<HonestyFigure['window'], string> = { search: 'searched candles', scored: 'scored candles' };

/** Without a search the trial itself takes the place of the searched ones, and its candles are the scored ones. */
const windowOf = ({ window }: HonestyFigure, isOfSearch: boolean) => (isOfSearch ? window : 'scored');

function shortWindow(figure: HonestyFigure, isOfSearch: boolean): string {
  if (figure.id === 'bothWindows' && isOfSearch) return '(searched, scored)';
  return windowOf(figure, isOfSearch) === 'search' ? '(searched)' : '(scored)';
}

function noteOf(figure: HonestyFigure, format: (value: number) => string, isOfSearch: boolean): string {
  const { band, standardError, count } = figure;
  const rests = `n = ${formatCount(count)}, ${windowNames[windowOf(figure, isOfSearch)]}`;
  if (band !== undefined) return `${format(band.low)} to ${format(band.high)}, ${rests}`;
  return standardError === undefined ? rests : `give or take ${format(standardError)}, ${rests}`;
}

const levelNames: Record<HonestyLevel, string> = {
  luck: 'Luck',
  unclear: 'Unclear',
  'holds up': 'Holds up',
  'not enough data': 'Cannot tell yet',
};

const looks: Record<HonestyLevel, { icon: typeof Dices; className: string }> = {
  luck: { icon: Dices, className: 'text-warn' },
  unclear: { icon: Scale, className: 'text-text' },
  'holds up': { icon: ShieldCheck, className: 'text-accent' },
  'not enough data': { icon: CircleHelp, className: 'text-muted' },
};
/** In sight without unfolding. */
const first = ['bothWindows', 'deflatedSharpe', 'realityCheck', 'holdout', 'randomEntry'];
/** Figures of the run itself that stand beside those of the task. */
const EXTRA_COUNT = 3;
const saysNames = { luck: 'speaks for luck', skill: 'speaks against luck', neither: '' };

const subjects = ['best', 'screen'] as const;
const subjectNames = { best: 'Best of the search', screen: 'Current settings' };
type Subject = (typeof subjects)[number];

/** After a search its best set is judged, until another set is put in its place or the user asks for the one on screen. */
function useSubject(onScreen: Run, search: SearchRun | null) {
  const [wish, setWish] = useState<{ of: SearchRun; subject: Subject } | null>(null);
  const best = useMemo(() => (search === null ? null : bestRunOf(search)), [search]);
  const isChoice = search !== null && !isBestOf(onScreen, search);
  const usual: Subject = isChoice && isStartOf(onScreen, search) ? 'best' : 'screen';
  const subject = isChoice && wish?.of === search ? wish.subject : usual;
  return {
    subject,
    isChoice,
    run: subject === 'best' && best !== null ? best : onScreen,
    choose: (next: Subject) => setWish(search === null ? null : { of: search, subject: next }),
  };
}

/**
 * How much of the result is luck: a verdict in words that rests on no single number, and every figure behind it below, when
 * they are asked for.
 */
export function HonestyPanel({ run: onScreen, search }: { run: Run; search: SearchRun | null }) {
  const { judged, error } = useSnapshot(honestyState);
  const [isOpen, setOpen] = useState(false);
  const { run, subject, isChoice, choose } = useSubject(onScreen, search);
  useEffect(() => {
    judgeSoon(run, search);
    return stopJudging;
  }, [run, search]);
  const result = (judged?.result ?? null) as HonestyResult | null;
  const isStale = judged?.run !== run;
  return (
    <>
      <section
        aria-label="Honesty"
        data-status={isStale ? 'judging' : 'judged'}
        // As tall as a verdict: what lies below does not move when it arrives.
        className="panel min-h-56 min-w-0 md:max-xl:min-h-44"
      >
        {isChoice && (
          <div className="px-3 pt-2 text-label">
            <Segments
              isSmall
              label="Verdict on"
              options={subjects}
              value={subject}
              nameOf={(each) => subjectNames[each]}
              onSelect={choose}
            />
          </div>
        )}
        {error !== null && <Notice tone="error">The honesty figures could not be computed: {error}</Notice>}
        {result === null || isStale ? (
          <div aria-busy={error === null} className={`flex flex-col gap-2 p-3 ${error === null ? '' : 'hidden'}`}>
            <p className="text-muted" role="status">
              Calculating how much of the result is luck
            </p>
            <div className="skeleton h-5" />
            <div className="skeleton h-12" />
          </div>
        ) : (
          <div>
            <Verdict
              result={result}
              earlier={judged.earlierTrialCount}
              isOfSearch={isBestOf(run, search)}
              words={verdictWords(run, onScreen, search)}
            />
            <button
              type="button"
              className="btn btn-ghost btn-small m-2"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              <ChevronDown size={14} aria-hidden="true" className={isOpen ? 'rotate-180' : ''} />
              {isOpen ? 'Fewer figures' : `All ${formatCount(result.figures.length + EXTRA_COUNT)} figures`}
            </button>
          </div>
        )}
      </section>
      {isOpen && result !== null && !isStale && <AllFigures result={result} run={run} search={search} />}
    </>
  );
}

interface Shown {
  result: HonestyResult;
  run: Run;
  search: SearchRun | null;
}

interface VerdictProps {
  result: HonestyResult;
  earlier: number;
  isOfSearch: boolean;
  /** Whose result it is, after the words of the reading. */
  words: string;
}

function Verdict({ result, earlier, isOfSearch, words }: VerdictProps) {
  const { reading, trialCount, figures } = result;
  const { icon: Icon, className } = looks[reading.level];
  const shown = first
    .map((id) => figures.find((figure) => figure.id === id))
    .filter((figure): figure is HonestyFigure => figure !== undefined);
  return (
    <div className="flex flex-col gap-2 p-3 pb-0">
      <p className="flex items-start gap-2" role="status">
        <Icon size={18} aria-hidden="true" className={`mt-0.5 shrink-0 ${className}`} />
        <span>
          <strong data-testid="honesty-level" className={`text-section ${className}`}>
            {levelNames[reading.level]}
          </strong>
          <span className="block text-label">
            {reading.words.replaceAll(' %', '\u00a0%')}
            {words}
          </span>
        </span>
      </p>
      <p className="text-label text-muted tabular-nums" data-testid="honesty-trials">
        {formatCount(trialCount)} {trialCount === 1 ? 'set' : 'sets'} counted on these candles
        {earlier > 0 ? `, ${formatCount(earlier)} of them tried before` : ''}
      </p>
      <dl className="grid grid-cols-1 gap-y-1.5 text-label tabular-nums md:max-xl:grid-cols-2 md:max-xl:gap-x-6">
        {shown.map((figure) => (
          <FigureRow key={figure.id} {...figureText(figure, isOfSearch)} where={shortWindow(figure, isOfSearch)} />
        ))}
      </dl>
    </div>
  );
}

function FigureRow({ definition, value, note, says, where }: FigureText & { where: string }) {
  return (
    <div className="flex min-w-0 items-baseline justify-between gap-2" title={note}>
      <dt className="min-w-0 text-muted">
        <DefinedTerm definition={definition} /> <span className="text-muted">{where}</span>
      </dt>
      <dd className="shrink-0 font-semibold">
        {value}
        {says !== 'neither' && <span className="sr-only"> {saysNames[says]}</span>}
      </dd>
    </div>
  );
}

const extraDefinitions = {
  sameBar: {
    topic: 'setting.sameBar',
    name: 'Same-bar band',
    meaning:
      'Net PnL when in every candle that holds both stop and target the stop came first, and when the target did. The truth lies between them.',
  },
  ambiguous: {
    topic: 'ambiguous',
    name: 'Ambiguous share',
    meaning: 'Share of all trades whose exit candle held both the target and the stop or liquidation price.',
  },
  walkForward: {
    topic: 'walkForwardEfficiency',
    name: 'Walk-forward efficiency',
    meaning: 'Share of the training result that later windows kept: 1 all, 0 none.',
    formula: 'mean test PnL per candle / mean training PnL per candle',
  },
} as const satisfies Record<string, Definition>;

function extrasOf(run: Run, walking: WalkForward): FigureText[] {
  const { pessimisticNetPnl, optimisticNetPnl, ambiguousFraction, tradeCount } = run.result.summary;
  const walk = walking.status === 'result' ? walking.result : undefined;
  const efficiency = walk?.efficiency ?? null;
  const noWalk = walk === undefined ? walkNotes[walking.status] : (walk.reason ?? 'too little data');
  return [
    {
      id: 'sameBar',
      definition: extraDefinitions.sameBar,
      says: 'neither' as const,
      note: 'USDT, stop first to target first',
      value: `${formatMoney(pessimisticNetPnl, true)} to ${formatMoney(optimisticNetPnl, true)}`,
    },
    {
      id: 'ambiguous',
      definition: extraDefinitions.ambiguous,
      says: 'neither' as const,
      value: formatPercent(ambiguousFraction),
      note: `n = ${formatCount(tradeCount)} trades`,
    },
    {
      id: 'walkForward',
      definition: extraDefinitions.walkForward,
      says: 'neither' as const,
      value: formatFixed(efficiency, 2),
      note: efficiency === null ? noWalk : `n = ${formatCount(walk?.folds.length ?? 0)} windows`,
    },
  ];
}

const walkNotes: Record<WalkForward['status'], string> = {
  none: 'only of a search with walk-forward',
  running: 'being computed',
  result: '',
  error: 'could not be computed',
};

const noRulesSearch =
  'These rules were not found by a search, so unseen candles, overfitting, plateau and walk-forward have no figure.';

function AllFigures(shown: Shown) {
  const { run, search } = shown;
  const walking = useWalkForward(isBestOf(run, search) ? search : null);
  const rows = [
    ...shown.result.figures.map((figure) => figureText(figure, isBestOf(run, search))),
    ...extrasOf(run, walking),
  ];
  return (
    <>
      {run.strategy !== undefined && !isBestOf(run, search) && (
        <p className="pb-2 text-label text-muted">{noRulesSearch}</p>
      )}
      <dl
        aria-label="All honesty figures"
        className="grid overflow-hidden rounded border border-line bg-panel text-label tabular-nums md:max-xl:grid-cols-2"
      >
        {rows.map(({ id, definition, value, note, says }) => (
          <div
            key={id}
            className="grid min-w-0 grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-2 border-r border-b border-line px-3 py-1.5"
          >
            <dt className="truncate text-muted">
              <DefinedTerm definition={definition} />
            </dt>
            <dd className="font-semibold">{value}</dd>
            <dd className="col-span-2 text-muted">{says === 'neither' ? note : `${saysNames[says]}; ${note}`}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
