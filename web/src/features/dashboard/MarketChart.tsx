import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { messageOf } from '../../api/failure.ts';
import { fetchCandles } from '../../api/market.ts';
import { queryKeys } from '../../api/queryKeys.ts';
import { LateChart } from '../../charts/LateChart.tsx';
import { exchangeName } from '../../format/exchangeName.ts';
import { priceDecimals } from '../../format/number.ts';
import { Age } from '../../ui/Age.tsx';
import { ErrorState, Panel } from '../../ui/Panel.tsx';
import { Segments } from '../../ui/Segments.tsx';

const intervals = ['15m', '1h', '4h'] as const;
const CANDLE_COUNT = 300;
const POLL_MS = 60_000;

/** Candles of the watched symbol that is selected. */
export function MarketChart({ symbol, decimals }: { symbol: string | null; decimals: number | undefined }) {
  const [interval, setInterval] = useState<(typeof intervals)[number]>('1h');
  const answer = useQuery({
    queryKey: queryKeys.market.candles(symbol ?? '', interval, CANDLE_COUNT),
    queryFn: ({ signal }) => fetchCandles({ symbol: symbol ?? '', interval, limit: CANDLE_COUNT, signal }),
    enabled: symbol !== null,
    refetchInterval: POLL_MS,
    placeholderData: keepPreviousData,
  });
  const candles = answer.data?.candles;
  const model = useMemo(() => {
    if (candles === undefined || candles.time.length === 0) return null;
    const lastClose = candles.close.at(-1) ?? 1;
    return { candles, priceDecimals: priceDecimals(lastClose, decimals), scoredFrom: 0, trades: [], panes: [] };
  }, [candles, decimals]);
  return (
    <Panel
      title={symbol ?? 'Chart'}
      aside={
        <span className="flex items-center gap-3">
          {answer.data !== undefined && (
            <span className="max-md:hidden">
              <Age sinceMs={answer.data.confirmedAtMs} prefix={exchangeName(answer.data.exchange)} />
            </span>
          )}
          <Segments label="Interval" options={intervals} value={interval} onSelect={setInterval} isSmall />
        </span>
      }
      className="flex-1"
      bodyClassName="relative min-h-[min(420px,60dvh)]"
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
        <LateChart model={model} className={`absolute inset-0 ${answer.isPlaceholderData ? 'opacity-50' : ''}`} />
      )}
    </Panel>
  );
}
