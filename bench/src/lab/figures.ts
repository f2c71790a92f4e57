import { rounded, type ResultLine } from '../results.ts';
import { median, medianInterval } from '../statistics.ts';
import type { Seen } from './probe.ts';

export interface Span {
  from: number;
  to: number;
}

const within = (values: readonly number[], { from, to }: Span): number[] =>
  values.filter((value) => value >= from && value <= to);

/** Frames a second over the span. @throws RangeError for a span without length */
export function frameRate(frames: readonly number[], span: Span): number {
  if (!(span.to > span.from)) throw new RangeError('a frame rate needs a span');
  return (within(frames, span).length / (span.to - span.from)) * 1000;
}

/** Frames in which something was drawn: drawings of one frame count once. */
export function drawnFrames(frames: readonly number[], draws: readonly number[]): number[] {
  const drawn: number[] = [];
  let at = 0;
  for (const start of frames) {
    const next = frames.find((other) => other > start) ?? Infinity;
    while (at < draws.length && (draws[at] ?? 0) < start) at++;
    if (at < draws.length && (draws[at] ?? 0) < next) drawn.push(start);
  }
  return drawn;
}

/**
 * The longest delay of a `periodMs` timer in the span: the main thread was blocked by a task, by several in a row, or by other programs. A
 * long task that the browser reports counts too when it is longer.
 */
export function longestTask({ ticks, longTasks }: Seen, span: Span, periodMs: number): number {
  let longest = 0;
  for (let i = 1; i < ticks.length; i++) {
    const [before, after] = [ticks[i - 1] ?? 0, ticks[i] ?? 0];
    if (after < span.from || before > span.to) continue;
    longest = Math.max(longest, after - before - periodMs);
  }
  return Math.max(longest, reportedTask(longTasks, span));
}

/** The longest task in the span that the browser reports. It reports tasks of 50 ms and more; 0 means none. */
export function reportedTask(longTasks: Seen['longTasks'], { from, to }: Span): number {
  const inSpan = longTasks.filter(({ start, duration }) => start + duration >= from && start <= to);
  return Math.max(0, ...inSpan.map(({ duration }) => duration));
}

/** Trace categories that the browser records, and the user-timing mark by which the main thread of the page and its start are found. */
export const TRACED = ['toplevel', 'blink.user_timing'];
export const TRACE_MARK = 'sextant bench';

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  /** Processor time of the thread, microseconds. */
  tdur?: number;
}

/**
 * Processor time of the longest task of the page's main thread since the mark. Unlike a timer that comes late it has no other program in
 * it, and no stall of a virtual machine whose processors are shared out. @param trace JSON as the browser writes it
 */
export function longestProcessorMs(trace: string): number {
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
  const mark = traceEvents.findLast(({ name }) => name === TRACE_MARK);
  if (mark === undefined) throw new Error('the record of tasks has no mark of the page');
  const { pid, tid, ts } = mark;
  const tasks = traceEvents.filter((event) => event.name.endsWith('RunTask') && event.pid === pid && event.tid === tid);
  return Math.max(0, ...tasks.filter((task) => task.ts >= ts).map(({ tdur = 0 }) => tdur)) / 1000;
}

/** First value not before `at`. @throws Error when there is none */
export function firstFrom(values: readonly number[], at: number): number {
  const match = values.find((value) => value >= at);
  if (match === undefined) throw new Error('what was waited for did not happen');
  return match;
}

/** The result line of repeated measurements: their median, and half its 95 % interval as a share of it. */
export function lineOf(name: string, unit: string, values: readonly number[]): ResultLine {
  const figure = median(values);
  const { low, high } = medianInterval(values);
  const margin = figure === 0 ? 0 : (high - low) / 2 / Math.abs(figure);
  return { suite: 'lab', case: name, figure: rounded(figure), unit, margin: rounded(margin) };
}

export function worstLine(name: string, unit: string, values: readonly number[]): ResultLine {
  return { suite: 'lab', case: `${name}, worst of ${values.length}`, figure: rounded(Math.max(...values)), unit };
}
