import type { BacktestInput, BacktestResult, Candles, IndicatorRequest, IndicatorSeries } from './backtest.ts';
import type { EnsembleInput, EnsembleResult } from './ensemble.ts';
import type { DetectableInput, DetectableResult, HonestyInput, HonestyResult } from './honesty.ts';
import type { MonteCarloInput, MonteCarloResult } from './monteCarlo.ts';
import type {
  GroundInput,
  GroundResult,
  PatternRecordInput,
  PatternRecordResult,
  PatternsInput,
  PatternsResult,
} from './vision.ts';
import type { OptimizeInput, OptimizeResult, ScanInput, ScanResult, WalkForwardResult } from './optimize.ts';
import type { PortfolioInput, PortfolioResult, PortfolioSetsInput, PortfolioSetsResult } from './portfolio.ts';
import type { SpreadInput, SpreadResult } from './spread.ts';
import type { RulesInput, RulesSweepInput, RulesSweepResult } from './rules.ts';
import type {
  ReconcileInput,
  ReconcileResult,
  ReplayInput,
  ReplayResult,
  ShockInput,
  ShockResult,
  SizeInput,
  SizeResult,
} from './positions.ts';
import type { PracticeInput, PracticeResult } from './practice.ts';
import type {
  ReplayReport,
  ReplayReportInput,
  ReplaySignalsInput,
  ReplaySignalsResult,
  ReplayStrategyInput,
} from './replaySignals.ts';
import type { SignalsInput, SignalsResult } from './signals.ts';
import type { StrategyInput } from './strategy.ts';
import type { TaskProgress, TaskResult } from './taskResult.ts';

/** Inputs and results of the engine tasks by name. Node and browser hosts share this file. */
export interface TaskMap {
  indicators: { input: { candles: Candles; requests: IndicatorRequest[] }; output: { series: IndicatorSeries } };
  backtest: { input: BacktestInput; output: BacktestResult };
  /** A strategy as one value: what the scanner trades, or a similar one. */
  backtestStrategy: { input: StrategyInput; output: BacktestResult };
  /** Own rules, compiled. */
  backtestRules: { input: RulesInput; output: BacktestResult };
  /** Every set of a grid of their parameters. */
  optimizeRules: { input: RulesSweepInput; output: RulesSweepResult };
  /** One strategy and one account over many symbols. */
  portfolio: { input: PortfolioInput; output: PortfolioResult };
  /** Its figures under many thresholds, exits and limits. */
  portfolioSets: { input: PortfolioSetsInput; output: PortfolioSetsResult };
  optimize: { input: OptimizeInput; output: OptimizeResult };
  /** The walk-forward of a search as a separate task, so that its best need not wait for it. */
  walkForward: { input: OptimizeInput; output: WalkForwardResult };
  /** The same rules on markets that are made of blocks of this one's candles. */
  monteCarlo: { input: MonteCarloInput; output: MonteCarloResult };
  scan: { input: ScanInput; output: ScanResult };
  honesty: { input: HonestyInput; output: HonestyResult };
  /** The smallest Sharpe ratio that a search could distinguish from luck. */
  detectable: { input: DetectableInput; output: DetectableResult };
  ensemble: { input: EnsembleInput; output: EnsembleResult };
  signals: { input: SignalsInput; output: SignalsResult };
  /** Every signal of one series over its history, with the outcome of each. */
  replaySignals: { input: ReplaySignalsInput; output: ReplaySignalsResult };
  replayStrategy: { input: ReplayStrategyInput; output: ReplaySignalsResult };
  /** Record and chances of many replayed series. */
  replayReport: { input: ReplayReportInput; output: ReplayReport };
  shock: { input: ShockInput; output: ShockResult };
  size: { input: SizeInput; output: SizeResult };
  replay: { input: ReplayInput; output: ReplayResult };
  /** Orders of a bar replay. */
  practise: { input: PracticeInput; output: PracticeResult };
  /** Lab against live of one closed position. */
  reconcile: { input: ReconcileInput; output: ReconcileResult };
  /** Two order books of one coin: what buying on one and selling on the other leaves, at any size. */
  spread: { input: SpreadInput; output: SpreadResult };
  /** Candlestick patterns of one series. */
  patterns: { input: PatternsInput; output: PatternsResult };
  /** How often each pattern was followed by its direction in many series. */
  patternRecord: { input: PatternRecordInput; output: PatternRecordResult };
  /** Which of many series a picture of a chart shows. */
  ground: { input: GroundInput; output: GroundResult };
}

export type TaskName = keyof TaskMap;
export type TaskInput<N extends TaskName> = TaskMap[N]['input'];
export type TaskOutput<N extends TaskName> = TaskMap[N]['output'];

/** One request as it crosses the thread border; distributes over names so name and input stay paired. */
export type TaskMessage = { [N in TaskName]: { name: N; input: TaskInput<N> } }[TaskName];

export interface RunOptions {
  /** Aborting ends the thread that runs the task: a loop inside WASM cannot be interrupted. */
  signal?: AbortSignal;
  /** Longest time from the call to the result, waiting included. */
  deadlineMs?: number;
  onProgress?: (progress: TaskProgress) => void;
}

/** Interface of every host. Resolves to a TaskResult; never rejects for bad input, a trap, a cancel or overload. */
export interface EnginePool {
  run<N extends TaskName>(name: N, input: TaskInput<N>, options?: RunOptions): Promise<TaskResult<TaskOutput<N>>>;
  /** Ends every thread; runs under way and later ones settle as `cancelled`. */
  close(): Promise<void>;
  /** Runs that it makes at the same time. */
  readonly threads: number;
}
