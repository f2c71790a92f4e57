import type { HonestyResult } from '@sextant/workers/src/protocol/honesty.ts';
import { createPortal } from 'react-dom';
import { formatFixed, formatMany, formatMoney, formatPercent } from '../../../format/number.ts';
import { DefinedTerm, type Definition } from '../../../ui/Hint.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import type { Run } from '../backtestState.ts';
import type { SearchRun } from '../search/searchState.ts';
import { useWalkForward, type WalkForward } from '../search/walkForwardState.ts';
import { type FigureText, figureText, saysNames } from './figureText.ts';
import { isBestOf } from './honestyState.ts';

const extraDefinitions = {
  sameBar: {
    topic: 'setting.sameBar',
    name: 'Same-bar band',
    meaning: 'Net PnL with the stop first and with the target first, where one candle reaches both.',
  },
  ambiguous: {
    topic: 'ambiguous',
    name: 'Ambiguous share',
    meaning: 'Trades whose exit candle reached both the target and the stop or liquidation price.',
  },
  walkForward: {
    topic: 'walkForwardEfficiency',
    name: 'Walk-forward efficiency',
    meaning: 'How much of the training result later windows repeat: 1 all, 0 none.',
    formula: 'mean test PnL per candle / mean training PnL per candle',
  },
} as const satisfies Record<string, Definition>;

/** Figures of the run shown beside those of the task. */
export const EXTRA_COUNT = Object.keys(extraDefinitions).length;

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
      note: `n = ${formatMany(tradeCount, 'trade')}`,
    },
    {
      id: 'walkForward',
      definition: extraDefinitions.walkForward,
      says: 'neither' as const,
      value: formatFixed(efficiency, 2),
      note: efficiency === null ? noWalk : `n = ${formatMany(walk?.folds.length ?? 0, 'window')}`,
    },
  ];
}

const walkNotes: Record<WalkForward['status'], string> = {
  none: 'run a search with walk-forward',
  running: 'calculating',
  result: '',
  error: 'calculation failed',
};

const noRulesSearch = 'Run a search to see unseen candles, overfitting, plateau and walk-forward.';

interface Shown {
  result: HonestyResult;
  run: Run;
  search: SearchRun | null;
  place: Element | null;
}

/** Every honesty figure with its sample, in as many columns as fit without separating a name from its value. */
export function AllFigures({ result, run, search, place }: Shown) {
  const walking = useWalkForward(isBestOf(run, search) ? search : null);
  const rows = [
    ...result.figures.map((figure) => figureText(figure, isBestOf(run, search))),
    ...extrasOf(run, walking),
  ];
  if (place === null) return null;
  return createPortal(
    <Panel title="All honesty figures" bodyClassName="">
      {run.strategy !== undefined && !isBestOf(run, search) && (
        <p className="border-b border-line px-3 py-2 text-label text-muted">{noRulesSearch}</p>
      )}
      <dl
        aria-label="All honesty figures"
        className="-mr-px -mb-px grid text-label tabular-nums md:grid-cols-2 xl:grid-cols-3"
      >
        {rows.map(({ id, definition, value, note, says }) => (
          <div
            key={id}
            className="grid min-w-0 grid-cols-[minmax(0,1fr)_auto] content-start items-baseline gap-x-3 border-r border-b border-line px-3 py-1.5"
          >
            <dt className="truncate text-muted">
              <DefinedTerm definition={definition} />
            </dt>
            <dd className="font-semibold whitespace-nowrap">{value}</dd>
            <dd className="col-span-2 text-muted">{says === 'neither' ? note : `${saysNames[says]}; ${note}`}</dd>
          </div>
        ))}
      </dl>
    </Panel>,
    place,
  );
}
