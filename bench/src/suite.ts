import type { ClockNs, Contestant, PairedOptions } from './paired.ts';
import type { ResultLine } from './results.ts';

/** Values of `against` in a result line; a package of the suite `peers` is given by its npm name. */
export type Against = string;

export interface Rival {
  against: Against;
  contestant: Contestant;
}

/** A comparison that cannot be made on this machine, and why. */
export interface SkippedRival {
  against: Against;
  reason: string;
}

export interface BenchCase {
  name: string;
  unit: string;
  /** Converts nanoseconds of one operation into `unit`, e.g. bars in one operation for ns/bar. */
  toFigure: (operationNs: number) => number;
  /** Runs our side once. May be asynchronous only when there is no rival. */
  operation: () => unknown;
  /** Without a rival the case gets a figure and no ratio. */
  rivals: Rival[];
  skipped?: SkippedRival[];
  /** Compares the results of every side. One line for each difference: a faster wrong engine must fail. */
  verify: () => Promise<string[]> | string[];
  options?: PairedOptions;
  /** The wall clock when absent. */
  clock?: ClockNs;
}

/** A line of a measured case, without its suite. */
export type MeasuredLine = { case: string } & ({ figure: number; unit: string } | { mismatch: string });

/** Measured once, after the cases: a delivery cannot be repeated in a loop. */
export interface MeasuredCase {
  name: string;
  measure: () => Promise<MeasuredLine[]>;
}

export interface PreparedSuite {
  cases: BenchCase[];
  measured?: readonly MeasuredCase[];
  /** Notes for reading the figures: definitions that differ, cases left out. */
  notes?: string[];
  close?: () => Promise<void>;
}

interface Named {
  name: string;
  /** The question this suite measures. */
  question: string;
}

/** Engine files of the suite `engine`. */
export interface EngineFiles {
  /** The engine that was changed. */
  candidate?: string;
  /** What it is compared with; the engine of this tree when absent. */
  against?: string;
}

/** Times operations of this process. */
export interface OperationSuite extends Named {
  /** Takes `--candidate` and `--against`. */
  comparesEngines?: true;
  prepare: (files?: EngineFiles) => Promise<PreparedSuite>;
}

/** Measures something that runs independently, such as a server under load, and reports its own lines. */
export interface MeasuredSuite extends Named {
  /** Cases that can be measured alone; none when absent. */
  cases?: readonly string[];
  /** @param onlyCases some of `cases`; none means all */
  measure: (
    report: (line: ResultLine) => void,
    onlyCases: readonly string[],
  ) => Promise<{ lines: ResultLine[]; notes: string[] }>;
}

export type Suite = OperationSuite | MeasuredSuite;
