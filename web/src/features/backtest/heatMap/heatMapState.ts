import type { IntervalName } from '@sextant/engine-as/abi/intervals.ts';
import { proxy, ref, snapshot } from 'valtio';
import { messageOf, WordedError } from '../../../api/failure.ts';
import { runEngineTask } from '../../../engine/enginePool.ts';
import { createLatestTask } from '../../../state/latestTask.ts';
import { openPage } from '../../../state/navigation.ts';
import { onUserReset } from '../../../state/userReset.ts';
import { type Draft, draft, plannedWindow, type Run } from '../backtestState.ts';
import { honestyInputOf } from '../honesty/honestyState.ts';
import { type ChosenRules, chosenRules } from '../own/chosenRules.ts';
import { paramsText } from '../params.ts';
import { readSymbols } from '../portfolio/portfolioState.ts';
import { loadAndRun, loadSetup, runBeside } from '../runner.ts';
import { countMarkets, markOf } from '../trialCounts.ts';
import { type CellColour, cellsOf, type HeatMapCell } from './heatMapCells.ts';

export const HEAT_MAP_SYMBOLS_MAX = 30;
/** Candles of a cell: all cells together stay in memory until their verdicts are there. */
const CELL_CANDLES_MAX = 5000;
/** Loads and verdicts at once: the exchange's budget and the engine's threads are shared with the run on screen. */
const AT_ONCE = 2;
const JUDGE_DEADLINE_MS = 60_000;

interface HeatMapDraft {
  /** As typed: names between commas or blanks. */
  symbols: string;
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
const startForm = (): HeatMapDraft => ({ symbols: startSymbols, intervals: ['15m', '1h', '4h'], colour: 'net' });
const startState = (): HeatMapState => ({
  status: 'idle',
  done: 0,
  total: 0,
  cells: ref([]),
  setup: null,
  error: null,
});

export const heatMapDraft = proxy<HeatMapDraft>(startForm());
export const heatMapState = proxy<HeatMapState>(startState());
const task = createLatestTask();
/** Runs of the cells, for their verdicts. */
let runs = new Map<string, Run>();
onUserReset(() => {
  Object.assign(heatMapDraft, startForm());
  Object.assign(heatMapState, startState());
  runs.clear();
});

const keyOf = ({ symbol, interval }: Pick<HeatMapCell, 'symbol' | 'interval'>): string => `${symbol} ${interval}`;

/** Symbols of the form, or what is wrong with them. */
export function readHeatMapSymbols(text: string): { symbols: string[] } | { error: string } {
  const read = readSymbols(text);
  if ('error' in read || read.symbols.length <= HEAT_MAP_SYMBOLS_MAX) return read;
  return { error: `${read.symbols.length} symbols, at most ${HEAT_MAP_SYMBOLS_MAX}` };
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

/** Runs the present rules on every symbol and interval of the form. A newer call replaces a running one. */
export async function runHeatMap(): Promise<void> {
  const form = { ...(snapshot(draft) as Draft), source: 'exchange' as const };
  const chosen = chosenRules();
  const read = readHeatMapSymbols(heatMapDraft.symbols);
  const { intervals, colour } = snapshot(heatMapDraft);
  const cells = 'error' in read ? [] : cellsOf(read.symbols, intervals);
  const own = (runs = new Map<string, Run>());
  const setup = setupText(form, chosen);
  const total = cells.length;
  Object.assign(heatMapState, { status: 'running', done: 0, total, cells: ref(cells), setup, error: null });
  const isDone = await task.run({
    work: async (signal) => {
      if ('error' in read) throw new WordedError(read.error);
      checkLength(form, intervals);
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
  countMarkets(rulesText(form, chosen), [...own.values()].map(lookOf));
  if (isDone && colour === 'verdict') await judgeCells();
}

const lookOf = ({ loaded, result, strategy, params }: Run) => ({
  data: markOf(loaded, result.hashes.data),
  set: strategy ?? params,
});

function checkLength(form: Draft, intervals: readonly IntervalName[]): void {
  if (intervals.length === 0) throw new WordedError('Select at least one interval.');
  for (const interval of intervals) {
    const planned = plannedWindow({ ...form, interval });
    if (planned === undefined) throw new WordedError('The dates of the setup are invalid. Correct them under Setup.');
    if (planned.loaded > CELL_CANDLES_MAX)
      throw new WordedError(
        `${interval} needs ${planned.loaded.toLocaleString('en-US')} candles a cell, at most ${CELL_CANDLES_MAX.toLocaleString('en-US')}. Shorten the window.`,
      );
  }
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
  openPage('backtest', 'results');
  await loadAndRun({ change, onLoaded: () => Object.assign(draft, change), isRecentEnough: true });
}
