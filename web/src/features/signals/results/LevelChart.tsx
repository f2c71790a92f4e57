import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { fetchCandles, useTickDecimals } from '../../../api/market.ts';
import type { IntervalName, ScanSignal } from '../../../api/types.ts';
import { LateChart } from '../../../charts/LateChart.tsx';
import { priceDecimals } from '../../../format/number.ts';
import { ErrorState } from '../../../ui/Panel.tsx';

const CANDLE_COUNT = 60;

/** The candles up to the signal, and its levels. */
export function LevelChart({ signal }: { signal: ScanSignal }) {
  const { symbol, interval, candle_close_at: closeAt, price, stopLoss, takeProfit } = signal;
  const answer = useQuery({
    queryKey: ['market', 'candles', symbol, interval, CANDLE_COUNT, closeAt],
    queryFn: ({ signal: abort }) =>
      fetchCandles({
        symbol,
        interval: interval as IntervalName,
        limit: CANDLE_COUNT,
        endTimeMs: Date.parse(closeAt),
        signal: abort,
      }),
    staleTime: Infinity,
  });
  const decimals = useTickDecimals()(symbol);
  const candles = answer.data?.candles;
  const model = useMemo(() => {
    if (candles === undefined || candles.time.length === 0) return null;
    const levels = [
      { price: takeProfit, label: 'target', colour: 'up' as const },
      { price, label: 'entry', colour: 'accent' as const },
      { price: stopLoss, label: 'stop', colour: 'down' as const },
    ].flatMap((level) => (level.price === null ? [] : [{ ...level, price: level.price }]));
    return { candles, priceDecimals: priceDecimals(price, decimals), scoredFrom: 0, trades: [], panes: [], levels };
  }, [candles, decimals, price, stopLoss, takeProfit]);
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
        <LateChart model={model} className="absolute inset-0" />
      )}
    </div>
  );
}
