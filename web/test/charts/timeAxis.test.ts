import { describe, expect, it } from 'vitest';
import { timeLabel, timeSplits } from '../../src/charts/timeAxis.ts';

const HOUR = 3_600_000;
/** Local midnight, because the labels are local. */
const start = new Date(2022, 0, 3).getTime();
const hours = (count: number) => Float64Array.from({ length: count }, (_, i) => start + i * HOUR);

describe('labels of the time axis', () => {
  it('stand at round local times', () => {
    const { indices, stepMs } = timeSplits(hours(49), 0, 48, 8);
    expect(stepMs).toBe(6 * HOUR);
    expect(indices).toEqual([6, 12, 18, 24, 30, 36, 42, 48]);
  });

  it('are never more than there is room for', () => {
    for (const room of [2, 5, 9])
      expect(timeSplits(hours(1200), 0, 1199, room).indices.length).toBeLessThanOrEqual(room);
  });

  it('skip a gap, which takes no room', () => {
    const time = Float64Array.from([0, 1, 2, 50, 51], (hour) => start + hour * HOUR);
    expect(timeSplits(time, 0, 4, 3).indices).toEqual([3]);
  });

  it('of years stand at the first of January', () => {
    const days = Float64Array.from({ length: 2000 }, (_, i) => new Date(2018, 3, 18 + i).getTime());
    const { indices, stepMs } = timeSplits(days, 0, 1999, 6);
    const labelled = indices.map((index) => new Date(days[index] ?? NaN));
    expect(labelled.map((date) => [date.getFullYear(), date.getMonth(), date.getDate()])).toEqual(
      [2019, 2020, 2021, 2022, 2023].map((year) => [year, 0, 1]),
    );
    expect(indices.map((index) => timeLabel(days[index] ?? NaN, stepMs))).toEqual([
      '2019',
      '2020',
      '2021',
      '2022',
      '2023',
    ]);
  });

  it('of UTC stand at round times of UTC, whatever the clock of this machine says', () => {
    const from = Date.UTC(2022, 0, 3, 1, 30);
    const time = Float64Array.from({ length: 49 }, (_, i) => from + i * (HOUR / 2));
    const { indices, stepMs } = timeSplits(time, 0, 48, 8, 'utc');
    expect(stepMs).toBe(4 * HOUR);
    expect(indices.map((index) => timeLabel(time[index] ?? NaN, stepMs, 'utc'))).toEqual([
      '04:00',
      '08:00',
      '12:00',
      '16:00',
      '20:00',
      '4 Jan',
    ]);
    const days = Float64Array.from({ length: 800 }, (_, i) => Date.UTC(2021, 5, 1 + i));
    const years = timeSplits(days, 0, 799, 2, 'utc');
    expect(years.indices.map((index) => timeLabel(days[index] ?? NaN, years.stepMs, 'utc'))).toEqual(['2022', '2023']);
  });

  it('are absent where there is nothing to label', () => {
    expect(timeSplits(new Float64Array(0), 0, 10, 5).indices).toEqual([]);
    expect(timeSplits(hours(5), 20, 30, 5).indices).toEqual([]);
  });

  it.each([
    [new Date(2022, 0, 3, 14, 30), HOUR, '14:30'],
    [new Date(2022, 0, 3), HOUR, '3 Jan'],
    [new Date(2022, 0, 3), 48 * HOUR, '3 Jan'],
    [new Date(2022, 4, 1), 30 * 24 * HOUR, 'May 2022'],
    [new Date(2022, 0, 1), 360 * 24 * HOUR, '2022'],
  ])('%s at a step of %i ms reads %s', (date, stepMs, text) => expect(timeLabel(date.getTime(), stepMs)).toBe(text));
});
