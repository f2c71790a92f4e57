import type { z } from 'zod';
import type { BacktestResult, IndicatorSeries } from '../../src/protocol/backtest.ts';
import type { DetectableInput, DetectableResult, HonestyResult } from '../../src/protocol/honesty.ts';
import type { MonteCarloResult } from '../../src/protocol/monteCarlo.ts';
import type { OptimizeResult } from '../../src/protocol/optimize.ts';
import type { PortfolioResult } from '../../src/protocol/portfolio.ts';
import type { TaskError, TaskErrorCode, TaskResult } from '../../src/protocol/taskResult.ts';
import type { EnginePool, RunOptions } from '../../src/protocol/tasks.ts';
import { backtestFromWire, BacktestRequestWire, rulesFromWire } from '../../src/protocol/wire/backtest.ts';
import { honestyFromWire, HonestyReturnsWire, HonestySearchWire } from '../../src/protocol/wire/honesty.ts';
import { indicatorsFromWire, IndicatorsRequestWire } from '../../src/protocol/wire/indicators.ts';
import { firstIssue } from '../../src/protocol/wire/issue.ts';
import { optimizeFromWire, OptimizeRequestWire } from '../../src/protocol/wire/optimize.ts';
import { portfolioFromWire, PortfolioRequestWire } from '../../src/protocol/wire/portfolio.ts';
import { toWireError } from '../../src/protocol/wire/wireError.ts';
import type { CompiledEngine } from '../../src/engine/engine.ts';
import { asOutcome, joinSearched, searchOnPool } from '../../src/tasks/optimize/onPool.ts';
import type {
  HonestyRequest,
  IndicatorsRequest,
  MonteCarloRequest,
  PortfolioRequest,
  RunControl,
  RunRequest,
  SearchRequest,
} from './types.ts';

export interface EngineOptions {
  /** Threads of the engine. */
  threads?: number;
  /** Another build of the engine: how to compare a tuned one. */
  wasm?: Uint8Array<ArrayBuffer> | ArrayBuffer;
}

/** A request that cannot be run, or a run that did not end: `field` names the wrong input, `message` the fix. */
export class EngineError extends Error {
  override name = 'EngineError';
  readonly code: TaskErrorCode;
  readonly field: string | undefined;
  constructor({ code, message, field }: TaskError) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

/** Every call runs on a thread of the engine and rejects with `EngineError`. Columns of results are typed arrays. */
export interface Engine {
  /** SHA-256 of the engine's file, lower-case hex. */
  readonly hash: string;
  readonly threads: number;
  /** Columns by name of the indicator and of its output; NaN while it warms up. */
  indicators(request: IndicatorsRequest, control?: RunControl): Promise<IndicatorSeries>;
  backtest(request: RunRequest, control?: RunControl): Promise<BacktestResult>;
  /** On all threads, to the bits of one. Progress counts samples. */
  optimize(request: SearchRequest, control?: RunControl): Promise<OptimizeResult>;
  /** How much of a result is luck. */
  honesty(request: HonestyRequest, control?: RunControl): Promise<HonestyResult>;
  /** The same rules on markets made of blocks of these candles. */
  monteCarlo(request: MonteCarloRequest, control?: RunControl): Promise<MonteCarloResult>;
  /** The smallest Sharpe ratio that a search of this size could distinguish from luck. */
  detectable(request: DetectableInput, control?: RunControl): Promise<DetectableResult>;
  /** One account over many symbols. */
  portfolio(request: PortfolioRequest, control?: RunControl): Promise<PortfolioResult>;
  close(): Promise<void>;
}

const MARKETS_DEFAULT = 200;

export function engineOn({ hash }: CompiledEngine, pool: EnginePool): Engine {
  return {
    hash,
    threads: pool.threads,
    indicators: async (request, control) => {
      const input = indicatorsFromWire(parse(IndicatorsRequestWire, request));
      return valueOf(await pool.run('indicators', input, optionsOf(control))).series;
    },
    backtest: async (request, control) => {
      const wire = parse(BacktestRequestWire, request);
      const { params, ...market } = backtestFromWire(wire);
      const rules = rulesFromWire(wire);
      return valueOf(
        rules === undefined
          ? await pool.run('backtest', { ...market, params }, optionsOf(control))
          : await pool.run('backtestStrategy', { ...market, ...rules }, optionsOf(control)),
      );
    },
    optimize: async (request, { signal = new AbortController().signal, onProgress } = {}) => {
      const input = optimizeFromWire(parse(OptimizeRequestWire, request));
      const onDone = (done: number): void => onProgress?.(done, input.samples);
      return joinSearched(valueOf(await asOutcome(() => searchOnPool(pool, input, { signal, onDone }))));
    },
    honesty: async (request, control) => {
      const wire = 'search' in request ? parse(HonestySearchWire, request) : parse(HonestyReturnsWire, request);
      return valueOf(await pool.run('honesty', honestyFromWire(wire), optionsOf(control)));
    },
    monteCarlo: async ({ seed = 1, marketCount = MARKETS_DEFAULT, blockLength, ...run }, control) => {
      const wire = parse(BacktestRequestWire, run);
      const { params, ...market } = backtestFromWire(wire);
      const rules = rulesFromWire(wire);
      const input = {
        run: rules === undefined ? { ...market, params } : { ...market, ...rules },
        seed,
        marketCount,
        ...(blockLength === undefined ? {} : { blockLength }),
      };
      return valueOf(await pool.run('monteCarlo', input, optionsOf(control)));
    },
    detectable: async (request, control) => valueOf(await pool.run('detectable', request, optionsOf(control))),
    portfolio: async (request, control) => {
      const input = portfolioFromWire(parse(PortfolioRequestWire, request));
      return valueOf(await pool.run('portfolio', input, optionsOf(control)));
    },
    close: () => pool.close(),
  };
}

function optionsOf({ signal, onProgress }: RunControl = {}): RunOptions {
  return {
    ...(signal && { signal }),
    ...(onProgress && { onProgress: ({ done, total }) => onProgress(done, total) }),
  };
}

function parse<T extends z.ZodType>(schema: T, request: unknown): z.output<T> {
  const parsed = schema.safeParse(withLists(request));
  if (parsed.success) return parsed.data;
  const { field, message } = firstIssue(parsed.error);
  throw new EngineError({ code: 'bad_input', message: field === '' ? message : `${field}: ${message}`, field });
}

/** The same request with lists in place of typed arrays, which its checks expect. */
function withLists(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number>);
  if (Array.isArray(value)) return value.some((each) => typeof each === 'object') ? value.map(withLists) : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withLists(each)]));
}

function valueOf<T>(result: TaskResult<T>): T {
  if (result.ok) return result.value;
  throw new EngineError(toWireError(result.error));
}
