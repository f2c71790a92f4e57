import { useMemo } from 'react';
import type { PositioningSeries } from '../api/types.ts';
import { messageOf } from '../api/failure.ts';
import type { Exchange } from '../data/market.ts';
import { usePositioningSeries } from '../data/positioning.ts';
import { formatFixed } from '../format/number.ts';
import { formatMoment } from '../format/time.ts';
import { useStore } from '../state/store.ts';
import { type TimeZone, timeZoneState } from '../state/timeZone.ts';
import type { LinePane, PlotColumn } from './chartModel.ts';
import type { ChartMarket } from './priceActions.ts';

/** Series of the exchange that the menu offers beside the engine's indicators. Their ids are stored in layouts. */
export const positioningChoices = [
  { id: 'open-interest', title: 'Open interest', definition: 'Contracts that are open, in coins.' },
  { id: 'long-short', title: 'Long/short accounts', definition: 'Accounts that are long per account that is short.' },
] as const;

const isOffered = (id: string): boolean => positioningChoices.some((each) => each.id === id);

/** The choices that the engine computes: a layout without one fetches neither the engine nor its registry. */
export const engineChoices = (ids: readonly string[]): string[] => ids.filter((id) => !isOffered(id));

const PANE_WEIGHT = 0.32;
/** A point this many steps old is not drawn on: the line ends where the data ends. */
const STEPS_MAX = 2;

const stepOf = (times: ArrayLike<number>): number =>
  times.length < 2 ? 0 : (times[times.length - 1] ?? 0) - (times[times.length - 2] ?? 0);

/**
 * The last value that was known when each candle closed; null before the first and after the last.
 * @param candleTimes opens, epoch ms, oldest first
 * @param times of the values, epoch ms, oldest first
 */
export function alignToCandles(
  candleTimes: ArrayLike<number>,
  times: readonly number[],
  values: readonly number[],
): PlotColumn {
  const spanMs = stepOf(candleTimes);
  const ageMaxMs = STEPS_MAX * Math.max(spanMs, stepOf(times));
  let next = 0;
  return Array.from(candleTimes, (openMs) => {
    const closeMs = openMs + spanMs;
    while (next < times.length && (times[next] ?? 0) <= closeMs) next += 1;
    const atMs = times[next - 1];
    return atMs === undefined || closeMs - atMs > ageMaxMs ? null : (values[next - 1] ?? null);
  });
}

/** Panes of the chosen series. Each states the time of its newest value. */
export function positioningPanes(
  ids: readonly string[],
  candleTimes: ArrayLike<number>,
  series: PositioningSeries | undefined,
  zone: TimeZone = 'local',
): LinePane[] {
  const paneOf = (id: string): LinePane | null => {
    const choice = positioningChoices.find((each) => each.id === id);
    if (choice === undefined) return null;
    const own = id === 'open-interest' ? series?.open_interest : series?.long_short;
    const times = own?.time ?? [];
    const values = own === null || own === undefined ? [] : 'quantity' in own ? own.quantity : own.ratio;
    const newest = times.at(-1);
    const state =
      newest === undefined ? (series === undefined ? 'loading' : 'no data') : `at ${formatMoment(newest, zone)[0]}`;
    return {
      id: `positioning.${id}`,
      label: `${choice.title}, ${state}`,
      values: alignToCandles(candleTimes, times, values),
      colour: id === 'open-interest' ? 'series-1' : 'series-2',
      isFilled: false,
      levels: id === 'long-short' ? [1] : [],
      weight: PANE_WEIGHT,
      format: (value) => formatFixed(value, id === 'open-interest' ? 0 : 2),
    };
  };
  return ids.flatMap((id) => paneOf(id) ?? []);
}

/** The same for the market of a chart, fetched once one is chosen. @param ids of the layout; others are left out */
export function usePositioningPanes(
  market: ChartMarket | null,
  ids: readonly string[],
  candleTimes: ArrayLike<number>,
): { panes: readonly LinePane[]; failure: string | null } {
  const key = ids.filter(isOffered).join();
  const isWanted = market !== null && key !== '';
  const response = usePositioningSeries(isWanted ? { ...market, exchange: market.exchange as Exchange } : null);
  const { data, error } = response;
  const { zone } = useStore(timeZoneState);
  const panes = useMemo(
    () => (isWanted ? positioningPanes(key.split(','), candleTimes, data, zone) : []),
    [isWanted, key, candleTimes, data, zone],
  );
  if (!isWanted) return { panes, failure: null };
  const failure = error === null ? (data?.failures[0] ?? null) : messageOf(error, 'the exchange did not respond.');
  return { panes, failure };
}
