import { BACKTEST_VOTE_COUNT, VOTE_COUNT } from '@sextant/engine-as/abi/votes.ts';
import * as abi from '@sextant/engine-as/abi/optimize.ts';
import { patternRegistry } from '@sextant/engine-as/abi/patterns.ts';
import { liveRules } from '@sextant/engine-as/abi/strategy.ts';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import type { TaskMessage } from '@sextant/workers/src/protocol/tasks.ts';
import { defaultCosts, defaultWeights, standardLiquidity } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { runTask, type TaskEngine } from '@sextant/workers/src/tasks/index.ts';
import { inArena } from '@sextant/workers/src/tasks/honesty/kernels.ts';
import { readAccount } from '@sextant/workers/src/tasks/portfolio/account.ts';
import { preparePortfolio } from '@sextant/workers/src/tasks/portfolio.ts';
import { candleWalks, eightHourlyFunding } from '../../data/candles.ts';
import { prepareBacktest } from '../backtestSide.ts';
import { expectOk, pushCandles } from '../engineSide.ts';
import { openFormula } from './formulaColumns.ts';
import { indicatorSpecs } from './indicatorSpecs.ts';
import { costsOf, drawSets, params, spaces, symbolOf } from './optimizerData.ts';
import { crossInput, openSweep, PAIRS, runPiece } from './sweepData.ts';

/** One side of a case. `run` does turn `k`; `read` gives its results until the next turn. */
export interface OpenedCase {
  run: (k: number) => void;
  read: (k: number) => ArrayLike<number>[];
}

/** Work that any engine with the present ABI can do. */
export interface EngineCase {
  name: string;
  unit: string;
  toFigure: (operationNs: number) => number;
  /** Different inputs, one an operation: one alone is learned by the branch predictor. */
  turns: number;
  open: (engine: TaskEngine) => OpenedCase;
}

const SERIES = 64;
const CANDLES = 500;
const series = candleWalks(SERIES, CANDLES);
const columnsOf = (engine: Engine): number[] => series.map((candles) => pushCandles(engine, candles));
const [long] = candleWalks(1, 1200);
if (long === undefined) throw new Error('no candles');

const perBar = { unit: 'ns/bar', toFigure: (ns: number) => ns / CANDLES, turns: SERIES };
const inMicroseconds = { unit: 'us', toFigure: (ns: number) => ns / 1000 };

const indicatorCases = indicatorSpecs
  .filter(({ id, kernel }) => id === kernel)
  .map(({ id, kind, params: values, outputCount }): EngineCase => ({
    name: id,
    ...perBar,
    open({ engine }) {
      const columns = columnsOf(engine);
      const paramsAt = engine.push(Float64Array.from(values));
      const outAt = engine.reserve(outputCount * CANDLES);
      return {
        run: (k) => expectOk(engine.raw.indicator(kind, columns[k] ?? 0, CANDLES, paramsAt, outAt, CANDLES, 0), id),
        read: () => [engine.f64View(outAt, outputCount * CANDLES)],
      };
    },
  }));

const votesCase: EngineCase = {
  name: 'votes',
  ...perBar,
  open({ engine }) {
    const columns = columnsOf(engine);
    const stride = (CANDLES + 15) & ~15;
    const votesAt = engine.reserveBytes(VOTE_COUNT * stride);
    const firstAt = engine.reserveBytes(4 * VOTE_COUNT);
    return {
      run: (k) => expectOk(engine.raw.votes(columns[k] ?? 0, CANDLES, votesAt, stride, firstAt, 0), 'votes'),
      read: () => [
        ...Array.from({ length: VOTE_COUNT }, (_, vote) => engine.i8View(votesAt + vote * stride, CANDLES)),
        engine.i32View(firstAt, VOTE_COUNT),
      ],
    };
  },
};

const lastVotesCase: EngineCase = {
  name: 'last-votes',
  ...inMicroseconds,
  turns: SERIES,
  open({ engine }) {
    const columns = columnsOf(engine);
    const [votesAt, liveAt] = [engine.reserveBytes(BACKTEST_VOTE_COUNT), engine.reserveBytes(BACKTEST_VOTE_COUNT)];
    return {
      run: (k) => expectOk(engine.raw.lastVotes(columns[k] ?? 0, CANDLES, votesAt, liveAt), 'lastVotes'),
      read: () => [engine.i8View(votesAt, BACKTEST_VOTE_COUNT), engine.u8View(liveAt, BACKTEST_VOTE_COUNT)],
    };
  },
};

const patternsCase: EngineCase = {
  name: 'patterns',
  ...inMicroseconds,
  turns: SERIES,
  open({ engine }) {
    const columns = columnsOf(engine);
    const outAt = patternRegistry.map(() => engine.reserveBytes(2 * CANDLES));
    return {
      run: (k) =>
        patternRegistry.forEach(({ kind, penetration = 0 }, i) =>
          expectOk(engine.raw.pattern(kind, columns[k] ?? 0, CANDLES, penetration, outAt[i] ?? 0), 'pattern'),
        ),
      read: () => outAt.map((at) => engine.u8View(at, 2 * CANDLES)),
    };
  },
};

const backtestCases = [false, true].map((isTrailing): EngineCase => ({
  name: isTrailing ? 'backtest-trailing' : 'backtest',
  ...inMicroseconds,
  turns: 16,
  open({ engine }) {
    const runs = candleWalks(16, 1200).map((candles) =>
      prepareBacktest(engine, {
        candles,
        params: { ...params, weights: defaultWeights, trailing: { ...params.trailing, enabled: isTrailing } },
        scoredCount: 1000,
        costs: { ...defaultCosts, funding: eightHourlyFunding(candles) },
      }),
    );
    return {
      run: (k) => runs[k]?.run(),
      read(k) {
        const run = runs[k]?.result();
        return run === undefined ? [] : [run.equity, run.score, run.trades.map(({ netPnl }) => netPnl)];
      },
    };
  },
}));

const SETS = 25;
const PIECES = 10;
const searchCases = Object.entries(spaces).map(([name, space]): EngineCase => ({
  name: `search-${name}`,
  unit: 'us per set',
  toFigure: (ns) => ns / SETS / 1000,
  turns: PIECES,
  open({ engine }) {
    const { market } = symbolOf(engine, long);
    const setsAt = Array.from({ length: PIECES }, (_, piece) =>
      engine.push(drawSets(engine, space, { seed: 1n, from: 1 + piece * SETS, count: SETS })),
    );
    const outAt = engine.reserve(abi.RESULT_LENGTH * SETS);
    return {
      run: (k) => engine.raw.optimizeSets(market.at, setsAt[k] ?? 0, SETS, 0, 1200, abi.TARGET_PNL, outAt, 0),
      read: () => [engine.f64View(outAt, abi.RESULT_LENGTH * SETS)],
    };
  },
}));

const sweepCase: EngineCase = {
  name: 'ema-cross',
  unit: 'us per pair',
  toFigure: (ns) => ns / PAIRS / 1000,
  turns: 20,
  open({ engine }) {
    const sweep = openSweep(engine, crossInput(long, costsOf(long)));
    let last = new Float64Array();
    return {
      run(k) {
        last = runPiece(sweep, k) as Float64Array<ArrayBuffer>;
      },
      read: () => [last],
    };
  },
};

const formulaCase: EngineCase = {
  name: 'formula-columns',
  ...inMicroseconds,
  turns: 16,
  open({ engine }) {
    const formulas = candleWalks(16, 1200).map((candles) => openFormula(engine, candles));
    return { run: (k) => formulas[k]?.program(), read: (k) => [formulas[k]?.signal() ?? []] };
  },
};

const portfolioCase: EngineCase = {
  name: 'portfolio',
  unit: 'ms/run',
  toFigure: (ns) => ns / 1e6,
  turns: 1,
  open({ engine }) {
    const prepared = preparePortfolio(engine, {
      strategy: { ...liveRules(['1h']), entryThreshold: 0.2 },
      limits: { positionsMax: 10, openingsMax: 3, dailyLossPct: 5, grossMaxFraction: 20 },
      symbols: candleWalks(32, 1200).map((candles, k) => ({
        symbol: `S${k}`,
        candles,
        context: [],
        costs: { ...defaultCosts, ...standardLiquidity, initialEquity: 1e6, fundingSource: 'off' },
      })),
    });
    if (!prepared.ok) throw new Error(prepared.error.message);
    const { account } = prepared.value;
    const run = (): void => expectOk(engine.raw.portfolioRun(account.portfolioAt), 'portfolioRun');
    return {
      run: () => inArena(engine, run),
      read: () =>
        inArena(engine, () => {
          run();
          const { trades, equity, skips } = readAccount(account);
          return [trades, equity, ...skips];
        }),
    };
  },
};

/** A whole task: what it does beside the kernels is the same on both sides. */
function taskCase(name: string, message: () => TaskMessage, read: (value: object) => ArrayLike<number>[]): EngineCase {
  return {
    name,
    ...inMicroseconds,
    turns: 1,
    open(engine) {
      const sent = message();
      let value: object = {};
      return {
        run() {
          const result = runTask(engine, sent);
          if (!result.ok) throw new Error(`${name}: ${result.error.message}`);
          ({ value } = result);
        },
        read: () => read(value),
      };
    },
  };
}

const market = { candles: long, costs: costsOf(long), scoredCount: 500 };
const taskCases = [
  taskCase(
    'live-rules',
    () => ({ name: 'backtestStrategy', input: { ...market, strategy: liveRules(['1h']), context: [] } }),
    (value) => [(value as { equity: Float64Array }).equity, (value as { score: Float64Array }).score],
  ),
  taskCase(
    'monte-carlo',
    () => ({ name: 'monteCarlo', input: { run: { ...market, params }, seed: 1, marketCount: 20 } }),
    (value) => [(value as { netPnl: Float64Array }).netPnl],
  ),
];

export const engineCases: readonly EngineCase[] = [
  ...indicatorCases,
  votesCase,
  lastVotesCase,
  patternsCase,
  ...backtestCases,
  ...searchCases,
  sweepCase,
  formulaCase,
  portfolioCase,
  ...taskCases,
];
