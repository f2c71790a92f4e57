import type { HonestyFigure, HonestyLevel, HonestyResult } from '@sextant/workers/src/protocol/honesty.ts';
import { familyWords } from '@sextant/workers/src/candles/sameData.ts';
import { ChevronDown, CircleHelp, Dices, Scale, ShieldCheck } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useSnapshot } from 'valtio';
import { honestyLevelNames } from '../../../format/honesty.ts';
import { formatCount } from '../../../format/number.ts';
import { DefinedTerm } from '../../../ui/Hint.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import type { Run } from '../backtestState.ts';
import type { SearchRun } from '../search/searchState.ts';
import { marketFamilyOf, markOf } from '../trialCounts.ts';
import { AllFigures, EXTRA_COUNT } from './AllFigures.tsx';
import { type FigureText, figureText, saysNames, shortWindow } from './figureText.ts';
import { readSubject, saveSubject, type Subject, subjects } from './subject.ts';
import { bestRunOf, honestyState, isBestOf, isStartOf, judgeSoon, stopJudging, verdictWords } from './honestyState.ts';

const looks: Record<HonestyLevel, { icon: typeof Dices; className: string }> = {
  luck: { icon: Dices, className: 'text-warn' },
  unclear: { icon: Scale, className: 'text-text' },
  'holds up': { icon: ShieldCheck, className: 'text-accent' },
  'not enough data': { icon: CircleHelp, className: 'text-muted' },
};
/** In sight without unfolding. */
const first = ['bothWindows', 'deflatedSharpe', 'realityCheck', 'holdout', 'randomEntry'];

const subjectNames = { best: 'Best of the search', screen: 'Current settings' };

/** The subject the user selected for this search. */
function readChoice(search: SearchRun | null): { of: SearchRun; subject: Subject } | null {
  const subject = search === null ? null : readSubject(search);
  return search === null || subject === null ? null : { of: search, subject };
}

/** After a search its best set is judged, until another set replaces it or the user selects the one on screen. */
function useSubject(onScreen: Run, search: SearchRun | null) {
  const [options, setOptions] = useState<{ of: SearchRun; subject: Subject } | null>(null);
  const best = useMemo(() => (search === null ? null : bestRunOf(search)), [search]);
  const isChoice = search !== null && !isBestOf(onScreen, search);
  const usual: Subject = isChoice && isStartOf(onScreen, search) ? 'best' : 'screen';
  // A search is restored after its run, when the panel is already mounted.
  const requested = options?.of === search ? options : readChoice(search);
  const subject = isChoice && requested !== null ? requested.subject : usual;
  return {
    subject,
    isChoice,
    run: subject === 'best' && best !== null ? best : onScreen,
    choose: (next: Subject) => {
      if (search === null) return;
      saveSubject(search, next);
      setOptions({ of: search, subject: next });
    },
  };
}

/** What was tried on other markets and counts towards the judged run, as text. */
function familyText(run: Run, search: SearchRun | null): string {
  const { loaded, result, strategy, params } = run;
  const family = isBestOf(run, search)
    ? search.before.family
    : marketFamilyOf(markOf(loaded, result.hashes.data), strategy ?? params);
  return family === undefined ? '' : familyWords(family);
}

interface PanelProps {
  run: Run;
  search: SearchRun | null;
  /** Where the figures unfold: the column of the verdict is too narrow for them. */
  figuresPlace: Element | null;
}

/** How much of the result may be luck: a verdict that rests on no single number, and on request every figure behind it. */
export function HonestyPanel({ run: onScreen, search, figuresPlace }: PanelProps) {
  const { judged, error } = useSnapshot(honestyState);
  const [isOpen, setOpen] = useState(false);
  const { run, subject, isChoice, choose } = useSubject(onScreen, search);
  useEffect(() => {
    judgeSoon(run, search);
    return stopJudging;
  }, [run, search]);
  useEffect(() => {
    // Only on opening: a run that is judged again does not scroll the page.
    if (isOpen) figuresPlace?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, figuresPlace]);
  const result = (judged?.result ?? null) as HonestyResult | null;
  const isStale = judged?.run !== run;
  return (
    <>
      <section
        aria-label="Honesty"
        data-status={isStale ? 'judging' : 'judged'}
        // As tall as a verdict: the content below does not move when it arrives.
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
        {error !== null && <Notice tone="error">Honesty check failed: {error}</Notice>}
        {result === null || isStale ? (
          <div aria-busy={error === null} className={`flex flex-col gap-2 p-3 ${error === null ? '' : 'hidden'}`}>
            <p className="text-muted" role="status">
              Checking how much is luck
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
              family={familyText(run, search)}
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
      {isOpen && result !== null && !isStale && (
        <AllFigures result={result} run={run} search={search} place={figuresPlace} />
      )}
    </>
  );
}

interface VerdictProps {
  result: HonestyResult;
  earlier: number;
  isOfSearch: boolean;
  /** Sets of other markets included in the count; empty without any. */
  family: string;
  /** Owner of the result, appended to the reading. */
  words: string;
}

function Verdict({ result, earlier, isOfSearch, family, words }: VerdictProps) {
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
            {honestyLevelNames[reading.level]}
          </strong>
          <span className="block text-label">
            {reading.words.replaceAll(' %', '\u00a0%')}
            {words}
          </span>
        </span>
      </p>
      <p className="text-label text-muted tabular-nums" data-testid="honesty-trials">
        {formatCount(trialCount)} {trialCount === 1 ? 'set' : 'sets'} tested on these candles
        {earlier > 0 ? `, ${formatCount(earlier)} of them earlier` : ''}
        {family === '' ? '' : `, ${family}`}
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
