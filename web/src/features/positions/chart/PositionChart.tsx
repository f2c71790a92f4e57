import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { intervalToMs } from '../../../api/candles.ts';
import { messageOf } from '../../../api/failure.ts';
import { fetchCandles, useTickDecimals } from '../../../api/market.ts';
import { usePosition } from '../../../api/positions.ts';
import type { PositionView } from '../../../api/positionView.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import { LateChart } from '../../../charts/LateChart.tsx';
import { ErrorState, Panel } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { candleCountFor, type ChartInterval, chartIntervals, intervalFor, positionModel } from './positionModel.ts';

/** Candles after a close: what it would have become. */
const AFTER_COUNT = 30;
const POLL_MS = 20_000;

interface Props {
  position: PositionView;
  /** Last price of an open position. */
  price: number | null;
  /** Net result at that price, or of the close. */
  net: number | null;
  className?: string;
}

/** Entry, levels and the stop's way over the candles of a position's life. */
export function PositionChart({ position, price, net, className = '' }: Props) {
  const [chosen, setChosen] = useState<ChartInterval | null>(null);
  const { symbol, openedAt, closedAt } = position;
  const [nowMs] = useState(() => Date.now());
  const lifeMs = (closedAt ?? nowMs) - openedAt;
  const interval = chosen ?? intervalFor(lifeMs);
  const limit = candleCountFor(lifeMs, interval);
  const stepMs = intervalToMs(interval);
  const endTimeMs = closedAt === null ? undefined : Math.min(nowMs, closedAt + AFTER_COUNT * stepMs);
  const answer = useQuery({
    queryKey: [...queryKeys.market.candles(symbol, interval, limit), endTimeMs ?? 'now'],
    queryFn: ({ signal }) => fetchCandles({ symbol, interval, limit, endTimeMs, signal }),
    ...(closedAt === null ? { refetchInterval: POLL_MS } : { staleTime: Infinity }),
    placeholderData: keepPreviousData,
  });
  const events = usePosition(position.id).data?.events;
  const decimals = useTickDecimals()(symbol);
  const candles = answer.data?.candles;
  const model = useMemo(() => {
    if (candles === undefined || candles.time.length === 0) return null;
    const moves = (events ?? []).flatMap((event) =>
      event.kind === 'trail_raised' ? [{ atMs: Date.parse(event.at), to: event.data.to }] : [],
    );
    return positionModel(candles, stepMs, { position, moves, price, net, decimals });
  }, [candles, stepMs, position, events, price, net, decimals]);
  return (
    <Panel
      title={`${symbol} ${position.side}`}
      aside={<Segments label="Interval" options={chartIntervals} value={interval} onSelect={setChosen} isSmall />}
      className={className}
      bodyClassName="relative min-h-[min(380px,56dvh)]"
    >
      {answer.error !== null && (
        <div className="p-3">
          <ErrorState
            text={messageOf(answer.error, 'The candles could not be read.')}
            onRetry={() => void answer.refetch()}
          />
        </div>
      )}
      {model !== null && (
        <LateChart
          model={model}
          isEmbedded
          className={`absolute inset-0 ${answer.isPlaceholderData ? 'opacity-50' : ''}`}
        />
      )}
    </Panel>
  );
}
