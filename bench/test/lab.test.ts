import { describe, expect, it } from 'vitest';
import {
  drawnFrames,
  firstFrom,
  frameRate,
  lineOf,
  longestProcessorMs,
  longestTask,
  reportedTask,
  TRACE_MARK,
  worstLine,
} from '../src/lab/figures.ts';
import type { Seen } from '../src/lab/probe.ts';

const seen = (more: Partial<Seen>): Seen => ({
  frames: [],
  ticks: [],
  longTasks: [],
  clicks: [],
  keys: [],
  chartDraws: [],
  ...more,
});

describe('what the lab suite reads from a page', () => {
  it('counts the frames of the span alone: 6 in 100 ms are 60 a second', () => {
    const frames = [0, 16, 101, 118, 135, 152, 168, 185, 220];
    expect(frameRate(frames, { from: 100, to: 200 })).toBe(60);
    expect(() => frameRate(frames, { from: 100, to: 100 })).toThrow(RangeError);
  });

  it('counts drawings of the same frame once, and frames without a drawing not at all', () => {
    expect(drawnFrames([0, 16, 32, 48], [17, 18, 19, 20, 50])).toEqual([16, 48]);
    expect(drawnFrames([10, 20], [3])).toEqual([]);
  });

  it('counts the delay of a timer beyond its period as a task', () => {
    const ticks = [0, 5, 10, 75, 80, 300];
    expect(longestTask(seen({ ticks }), { from: 0, to: 80 }, 5)).toBe(215);
    expect(longestTask(seen({ ticks }), { from: 0, to: 79 }, 5)).toBe(60);
    expect(longestTask(seen({ ticks }), { from: 0, to: 9 }, 5)).toBe(0);
  });

  it('counts a task that started before the span and ended in it', () => {
    expect(longestTask(seen({ ticks: [0, 105] }), { from: 90, to: 104 }, 5)).toBe(100);
  });

  it('takes a long task of the browser when the timer saw less, and only inside the span', () => {
    const longTasks = [
      { start: 100, duration: 70 },
      { start: 900, duration: 400 },
    ];
    expect(longestTask(seen({ ticks: [99, 150], longTasks }), { from: 90, to: 200 }, 5)).toBe(70);
    expect(reportedTask(longTasks, { from: 90, to: 200 })).toBe(70);
    expect(reportedTask(longTasks, { from: 200, to: 300 })).toBe(0);
  });

  it('reads the processor time of the longest task of the page that marked the record, after its mark', () => {
    const task = (more: object) => ({ name: 'ThreadControllerImpl::RunTask', pid: 1, tid: 2, ts: 200, ...more });
    const traceEvents = [
      task({ ts: 50, tdur: 90_000 }),
      { name: TRACE_MARK, pid: 1, tid: 2, ts: 100 },
      task({ tdur: 21_500, dur: 60_000 }),
      task({ tdur: 12_000 }),
      task({ dur: 70_000 }),
      task({ tid: 3, tdur: 80_000 }),
      task({ pid: 9, tdur: 80_000 }),
      { ...task({ tdur: 85_000 }), name: 'FunctionCall' },
    ];
    expect(longestProcessorMs(JSON.stringify({ traceEvents }))).toBe(21.5);
    expect(() => longestProcessorMs(JSON.stringify({ traceEvents: [task({ tdur: 1 })] }))).toThrow('no mark');
  });

  it('finds what happened first after an instant, and says when nothing did', () => {
    expect(firstFrom([1, 5, 9], 4)).toBe(5);
    expect(() => firstFrom([1], 4)).toThrow('did not happen');
  });

  it('reports the median with half its interval as a fraction, and the worst value with the sample count', () => {
    expect(lineOf('paint', 'ms', [40, 40, 40])).toEqual({
      suite: 'lab',
      case: 'paint',
      figure: 40,
      unit: 'ms',
      margin: 0,
    });
    expect(lineOf('paint', 'ms', [10, 20, 90, 30, 40])).toMatchObject({ figure: 30 });
    expect(lineOf('tasks', 'ms', [0, 0, 0])).toMatchObject({ figure: 0, margin: 0 });
    expect(worstLine('paint', 'ms', [3, 7, 5])).toMatchObject({ case: 'paint, worst of 3', figure: 7 });
  });
});
