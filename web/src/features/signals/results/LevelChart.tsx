import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { fetchCandles } from '../../../api/market.ts';
import type { IntervalName, ScanSignal } from '../../../api/types.ts';
import { priceDecimals } from '../../../format/number.ts';
import { ErrorState } from '../../../ui/Panel.tsx';

const Chart = lazy(async () => ({ default: (await import('../../../charts/Chart.tsx')).Chart }));
const CANDLE_COUNT = 60;

/** The candles up to the signal, and its levels. */
export function LevelChart({ signal }: { signal: ScanSignal }) {
  const { symbol, interval, candle_close_at: closeAt, price, stopLoss, takeProfit } = signal;
  const answer = useQuery({
    queryKey: ['market', 'candles', symbol, interval, CANDLE_COUNT, closeAt],
    queryFn: ({ signal: abort }) =>
      fetchCandles({
        ...{ symbol, interval: interval as IntervalName, limit: CANDLE_COUNT },
        ...{ endTimeMs: Date.parse(closeAt), signal: abort },
      }),
    staleTime: Infinity,
  });
  const candles = answer.data?.candles;
  const model = useMemo(() => {
    if (candles === undefined || candles.time.length === 0) return null;
    const levels = [
      { price: takeProfit, label: 'target', colour: 'up' as const },
      { price, label: 'entry', colour: 'accent' as const },
      { price: stopLoss, label: 'stop', colour: 'down' as const },
    ].flatMap((level) => (level.price === null ? [] : [{ ...level, price: level.price }]));
    return { candles, priceDecimals: priceDecimals(price), scoredFrom: 0, trades: [], panes: [], levels };
  }, [candles, price, stopLoss, takeProfit]);
  if (answer.error !== null)
    return (
      <ErrorState
        text={messageOf(answer.error, 'The candles could not be read.')}
        onRetry={() => void answer.refetch()}
      />
    );
  return (
    <div className="relative h-60 border border-line">
      {model === null ? (
        <div className="skeleton m-2 h-56" />
      ) : (
        <Suspense>
          <Chart model={model} className="absolute inset-0" />
        </Suspense>
      )}
    </div>
  );
}
