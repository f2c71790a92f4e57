import { useQueries } from '@tanstack/react-query';
import { fetchCandles } from '../../../api/market.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import { type Closes, closesOf } from './returns.ts';

export const HOUR_MS = 3_600_000;
/** Three weeks. */
const HOURS = 504;

/** Hourly closes of some symbols; one that cannot be had is not in the map. */
export function useHourlyCloses(symbols: readonly string[]): {
  closes: ReadonlyMap<string, Closes>;
  isWaiting: boolean;
} {
  return useQueries({
    queries: symbols.map((symbol) => ({
      queryKey: queryKeys.market.candles(symbol, '1h', HOURS),
      queryFn: ({ signal }: { signal: AbortSignal }) => fetchCandles({ symbol, interval: '1h', limit: HOURS, signal }),
      staleTime: 30 * 60_000,
    })),
    combine: (answers) => ({
      closes: new Map(
        answers.flatMap(({ data }, at): [string, Closes][] => {
          const symbol = symbols[at];
          return data === undefined || symbol === undefined ? [] : [[symbol, closesOf(data.candles)]];
        }),
      ),
      isWaiting: answers.some(({ isPending }) => isPending),
    }),
  });
}
