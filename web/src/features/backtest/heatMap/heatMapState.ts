import { type IntervalName, intervals } from '@sextant/engine-as/abi/intervals.ts';
import { PORTFOLIO_SYMBOLS_MAX } from '@sextant/engine-as/abi/portfolio.ts';
import { proxy, ref, snapshot } from 'valtio';
import { messageOf, WordedError } from '../../../api/failure.ts';
import { runEngineTask } from '../../../engine/enginePool.ts';
import { createLatestTask } from '../../../state/latestTask.ts';
import { openPage } from '../../../state/navigation.ts';
import { readSaved, save } from '../../../state/storage.ts';
import { onUserReset } from '../../../state/userReset.ts';
import { type Draft, draft, plannedWindow, type Run } from '../backtestState.ts';
import { honestyInputOf } from '../honesty/honestyState.ts';
import { type ChosenRules, chosenRules } from '../own/chosenRules.ts';
import { paramsText } from '../params.ts';
import { readSymbols } from '../portfolio/portfolioState.ts';
import { loadSetup } from '../run/setupCandles.ts';
import { loadAndRun, runBeside } from '../runner.ts';
import { countMarkets, markOf } from '../trialCounts.ts';
import { type CellColour, cellsOf, type HeatMapCell } from './heatMapCells.ts';

export const HEAT_MAP_SYMBOLS_MAX = PORTFOLIO_SYMBOLS_MAX;
export const heatMapSources = ['named', 'largest', 'watched'] as const;
export type HeatMapSource = (typeof heatMapSources)[number];
/** Candles of a cell, and of all cells: they stay in memory until their verdicts are there. */
const CELL_CANDLES_MAX = 5000;
const MAP_CANDLES_MAX = 1_500_000;
/** Loads and verdicts at once: the exchange's budget and the engine's threads are shared with the run on screen. */
const AT_ONCE = 2;
const JUDGE_DEADLINE_MS = 60_000;

interface HeatMapDraft {
  /** Names as typed, the largest by turnover, or the watch list. */
  source: HeatMapSource;
  /** As typed: names between commas or blanks. */
  symbols: string;
  /** How many of the largest. */
  largestCount: number;
  intervals: readonly IntervalName[];
  colour: CellColour;
}

interface HeatMapState {
  status: 'idle' | 'running' | 'judging';
  /** Cells that have run, or were judged, and all that will. */
  done: number;
  total: number;
  cells: readonly HeatMapCell[];
  /** Rules, costs and window of the cells; null before the first map. */
  setup: string | null;
  error: string | null;
}

const startSymbols = 'BTCUSDT, ETHUSDT, SOLUSDT, BNBUSDT, XRPUSDT, DOGEUSDT, ADAUSDT, AVAXUSDT, LINKUSDT, LTCUSDT';
const startForm = (): HeatMapDraft => ({
  source: 'named',
  symbols: startSymbols,
  largestCount: 20,
  intervals: ['15m', '1h', '4h'],
  colour: 'net',
});
const KEY = 'lab.heatMap';

/** The form of the last visit, each part of it that is still valid. @param text as stored; null: none */
export function readStoredForm(text: string | null): HeatMapDraft {
  const form = startForm();
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? 'null');
  } catch {
    return form;
  }
  if (typeof stored !== 'object' || stored === null) return form;
  const { source, symbols, largestCount, intervals: chosen } = stored as Record<string, unknown>;
  const isCount = typeof largestCount === 'number' && Number.isInteger(largestCount);
  return {
    ...form,
    source: heatMapSources.find((each) => each === source) ?? form.source,
    symbols: typeof symbols === 'string' ? symbols : form.symbols,
    largestCount:
      isCount && largestCount >= 1 && largestCount <= HEAT_MAP_SYMBOLS_MAX ? largestCount : form.largestCount,
    intervals: Array.isArray(chosen) ? intervals.filter((each) => chosen.includes(each)) : form.intervals,
  };
}

/** Changes the form; this browser remembers it. */
export function changeHeatMap(change: Partial<Omit<HeatMapDraft, 'colour'>>): void {
  Object.assign(heatMapDraft, change);
  const { source, symbols, largestCount, intervals: chosen } = snapshot(heatMapDraft);
  save(KEY, JSON.stringify({ source, symbols, largestCount, intervals: chosen }));
}

const startState = (): HeatMapState => ({
  status: 'idle',
  done: 0,
  total: 0,
  cells: ref([]),
  setup: null,
  error: null,
});

export const heatMapDraft = proxy<HeatMapDraft>(readStoredForm(readSaved(KEY)));
export const heatMapState = proxy<HeatMapState>(startState());
const task = createLatestTask();
/** Runs of the cells, for their verdicts. */
let runs = new Map<string, Run>();
onUserReset(() => {
  Object.assign(heatMapDraft, startForm());
  save(KEY, null);
  Object.assign(heatMapState, startState());
  runs.clear();
});

const keyOf = ({ symbol, interval }: Pick<HeatMapCell, 'symbol' | 'interval'>): string => `${symbol} ${interval}`;

/** Adds a symbol to the typed ones, once. */
export function addSymbol(text: string, symbol: string): string {
  const read = readSymbols(text);
  if ('error' in read) return text.trim() === '' ? symbol : `${text.trim().replace(/,$/, '')}, ${symbol}`;
  return [...new Set([...read.symbols, symbol])].join(', ');
}

/** Everything that decides the figures of a cell but its market. */
export function setupText(form: Readonly<Draft>, chosen: ChosenRules | null): string {
  const { costs, feeVenue, fineData, window, range, historyCount } = form;
  const dates = window === 'range' ? range : historyCount;
  return JSON.stringify([rulesText(form, chosen), costs, feeVenue, fineData, dates]);
}

/** The rules alone. */
const rulesText = ({ params }: Readonly<Draft>, chosen: ChosenRules | null): string => {
  if (chosen === null) return paramsText(params);
  return chosen.kind === 'own' ? chosen.own.text : JSON.stringify(chosen.settings);
};

function changeCell(key: string, change: (cell: HeatMapCell) => HeatMapCell): void {
  heatMapState.cells = ref(heatMapState.cells.map((cell) => (keyOf(cell) === key ? change(cell) : cell)));
}

/** Works through a list with a few at once; a failed one does not end the others. @throws AbortError */
async function eachAtOnce<T>(list: readonly T[], signal: AbortSignal, work: (each: T) => Promise<void>): Promise<void> {
  const rest = list.values();
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (const each of rest) {
      signal.throwIfAborted();
      await work(each);
      if (!signal.aborted) heatMapState.done += 1;
    }
  });
  await Promise.all(workers);
}

/** Counts the cells of the last map as seen; one that is counted already is no other look. */
let countShown = (): void => undefined;

/** Runs the present rules on symbols and the intervals of the form. A newer call replaces a running one. */
export async function runHeatMap(symbols: readonly string[]): Promise<void> {
  const form = { ...(snapshot(draft) as Draft), source: 'exchange' as const };
  const chosen = chosenRules();
  const { intervals: chosenIntervals, colour } = snapshot(heatMapDraft);
  const cells = cellsOf(symbols, chosenIntervals);
  const own = (runs = new Map<string, Run>());
  const countOwn = () => countMarkets(rulesText(form, chosen), [...own.values()].map(lookOf));
  countShown = countOwn;
  const setup = setupText(form, chosen);
  const total = cells.length;
  Object.assign(heatMapState, { status: 'running', done: 0, total, cells: ref(cells), setup, error: null });
  const isDone = await task.run({
    work: async (signal) => {
      checkLength(form, chosenIntervals, symbols.length);
      await eachAtOnce(cells, signal, async (cell) => {
        try {
          const market = { ...form, symbol: cell.symbol, interval: cell.interval };
          const loaded = await loadSetup(market, { signal, onProgress: () => undefined });
          const run = await runBeside(loaded, { form: market, chosen, signal });
          if (signal.aborted) return;
          own.set(keyOf(cell), run);
          changeCell(keyOf(cell), (before) => ({ ...before, figures: figuresOf(run) }));
        } catch (failure) {
          if (signal.aborted) throw failure;
          changeCell(keyOf(cell), (before) => ({ ...before, problem: messageOf(failure, 'This market did not run') }));
        }
      });
    },
    onDone: finish,
    onFailed: (failure) => {
      heatMapState.error = messageOf(failure, 'The heat map failed. Try again.');
      finish();
    },
  });
  countOwn();
  if (isDone && colour === 'verdict') await judgeCells();
}

const lookOf = ({ loaded, result, strategy, params }: Run) => ({
  data: markOf(loaded, result.hashes.data),
  set: strategy ?? params,
});

function checkLength(form: Draft, chosen: readonly IntervalName[], symbolCount: number): void {
  if (chosen.length === 0) throw new WordedError('Select at least one interval.');
  let candleCount = 0;
  for (const interval of chosen) {
    const planned = plannedWindow({ ...form, interval });
    if (planned === undefined) throw new WordedError('The dates of the setup are invalid. Correct them under Setup.');
    if (planned.loaded > CELL_CANDLES_MAX)
      throw new WordedError(
        `${interval} needs ${planned.loaded.toLocaleString('en-US')} candles a cell, at most ${CELL_CANDLES_MAX.toLocaleString('en-US')}. Shorten the window.`,
      );
    candleCount += planned.loaded * symbolCount;
  }
  if (candleCount > MAP_CANDLES_MAX)
    throw new WordedError(
      `The map needs ${candleCount.toLocaleString('en-US')} candles, at most ${MAP_CANDLES_MAX.toLocaleString('en-US')}. Choose fewer symbols or intervals.`,
    );
}

const figuresOf = ({ result: { summary } }: Run): HeatMapCell['figures'] => {
  const { netPnl, maxDrawdownFraction, tradeCount } = summary;
  return { netPnl, maxDrawdownFraction, tradeCount, level: null };
};

const finish = (): void => {
  heatMapState.status = 'idle';
};

/** Judges every cell without a verdict among all cells of its family. */
export async function judgeCells(): Promise<void> {
  if (heatMapState.status !== 'idle') return;
  const open = heatMapState.cells.filter(({ figures }) => figures !== null && figures.level === null);
  if (open.length === 0) return;
  const own = runs;
  Object.assign(heatMapState, { status: 'judging', done: 0, total: open.length, error: null });
  await task.run({
    work: (signal) =>
      eachAtOnce(open, signal, async (cell) => {
        const key = keyOf(cell);
        const run = own.get(key);
        if (run === undefined) return;
        try {
          const options = { signal, deadlineMs: JUDGE_DEADLINE_MS };
          const { reading } = await runEngineTask('honesty', honestyInputOf(run, null), options);
          if (signal.aborted) return;
          changeCell(key, (before) => ({
            ...before,
            figures: before.figures && { ...before.figures, level: reading.level },
          }));
        } catch (failure) {
          if (signal.aborted) throw failure;
          changeCell(key, (before) => ({ ...before, problem: messageOf(failure, 'The verdict failed') }));
        }
      }),
    onDone: finish,
    onFailed: (failure) => {
      heatMapState.error = messageOf(failure, 'The verdicts failed. Try again.');
      finish();
    },
  });
}

export function chooseCellColour(colour: CellColour): void {
  heatMapDraft.colour = colour;
  if (colour === 'verdict') void judgeCells();
}

/** What has run stays. */
export function cancelHeatMap(): void {
  task.cancel();
  finish();
}

/** Runs the market of a cell on the other pages, with the rules that are there now. */
export async function openCell({ symbol, interval }: Pick<HeatMapCell, 'symbol' | 'interval'>): Promise<void> {
  const change = { source: 'exchange', symbol, interval } as const;
  // The map may still run: what was chosen from are the cells so far.
  countShown();
  openPage('backtest', 'results');
  await loadAndRun({ change, onLoaded: () => Object.assign(draft, change), isRecentEnough: true });
}
