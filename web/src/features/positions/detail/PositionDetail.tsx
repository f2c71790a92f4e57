import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { intervalToMs } from '../../../api/candles.ts';
import { messageOf } from '../../../api/failure.ts';
import { fetchCandles } from '../../../data/market.ts';
import { useTickDecimals } from '../../../data/symbols.ts';
import type { PositionView } from '../../../api/positionView.ts';
import { usePosition } from '../../../data/positions.ts';
import { queryKeys } from '../../../api/queryKeys.ts';
import type { PositionEvent } from '../../../api/types.ts';
import type { ChartHandle } from '../../../charts/Chart.tsx';
import { LateChart } from '../../../charts/LateChart.tsx';
import { useMarketLevels } from '../../../charts/marketLevels.ts';
import { useForming } from '../../../charts/useForming.ts';
import { NewsLegend, useChartNews } from '../../../charts/ChartNews.tsx';
import { openAlertForm } from '../../../state/alertForm.ts';
import { ExchangeWait } from '../../../ui/ExchangeWait.tsx';
import { EmptyState, ErrorState, Loaded, Panel } from '../../../ui/Panel.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { Time } from '../../../ui/Time.tsx';
import {
  candleCountFor,
  type ChartInterval,
  chartIntervals,
  intervalFor,
  type MovedLevels,
  positionModel,
  targetOfLevel,
} from '../positionShapes.ts';
import { marketNames, useServed } from '../useMarked.ts';
import type { Marked } from '../mark.ts';
import { factsOf } from './positionFacts.ts';
import { FillList } from './FillList.tsx';
import { ManagePanel, MovedBar } from './ManagePanel.tsx';
import { eventText } from './positionTexts.ts';
import { SizeButtons } from './SizeButtons.tsx';
import { type LevelDraft, netText, useLevelDraft } from './useLevelDraft.ts';

interface Props {
  row: Marked;
  decimals: number | undefined;
  /** Shown for an open position. */
  onClose?: (position: PositionView) => void;
  /** The journal below the chart. @param chart null: not drawn yet; undefined: there is none */
  journal?: (chart: ChartHandle | null | undefined) => ReactNode;
  /** Content below the facts. */
  children?: ReactNode;
}

/** The selected position: its chart, its figures, its events; an open one can be changed here. */
export function PositionDetail(props: Props) {
  const { isServed } = useServed();
  const { position } = props.row;
  const isManaged = props.onClose !== undefined && position.closedAt === null && isServed(position);
  // What is edited belongs to one position.
  return isManaged ? <Managed key={position.id} {...props} /> : <Shown {...props} draft={null} />;
}

function Managed(props: Props) {
  const { position, price } = props.row;
  const draft = useLevelDraft(position, price, props.decimals);
  return <Shown {...props} draft={draft} />;
}

/** @param draft levels as they are edited; null: they cannot be changed */
function Shown({ row, decimals, onClose, journal, children, draft }: Props & { draft: LevelDraft | null }) {
  const { position, price, netIfClosed } = row;
  const { isServed } = useServed();
  const [chart, setChart] = useState<ChartHandle | null>(null);
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 lg:grid-cols-[minmax(0,1fr)_360px] docked:max-xl:grid-cols-[minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-3">
        {isServed(position) ? (
          <PositionChart
            key={position.id}
            position={position}
            price={price}
            net={position.closedAt === null ? netIfClosed : position.netPnl}
            draft={draft}
            onChart={setChart}
            className="min-h-105 flex-1"
          />
        ) : (
          <Panel title={`${position.symbol} ${position.side}`}>
            <EmptyState
              text={`It used ${marketNames[position.market]} prices. This service now uses others: no candles to show or replay.`}
            />
          </Panel>
        )}
        {journal?.(isServed(position) ? chart : undefined)}
        {children}
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        {draft !== null && <ManagePanel position={position} draft={draft} decimals={decimals} />}
        <Panel
          title={`${position.symbol} ${position.side} ${position.leverage}x`}
          aside={
            onClose !== undefined && (
              <span className="flex items-center gap-1">
                {position.liquidationApprox !== null && (
                  <button
                    type="button"
                    className="btn btn-ghost btn-small btn-icon"
                    aria-label="Set an alert on the distance to liquidation"
                    onClick={() => openAlertForm({ condition: { kind: 'liquidation', position_id: position.id } })}
                  >
                    <Bell size={14} aria-hidden="true" />
                  </button>
                )}
                <button
                  type="button"
                  data-symbol={position.symbol}
                  className="btn btn-small"
                  onClick={() => onClose(position)}
                >
                  Close position
                </button>
              </span>
            )
          }
          bodyClassName="flex flex-col"
        >
          {draft !== null && <SizeButtons position={position} />}
          <dl className="px-3 py-1 text-label">
            {factsOf(row, decimals).map(([name, value]) => (
              <div key={name} className="flex justify-between gap-3 py-0.75">
                <dt className="text-muted">{name}</dt>
                <dd className="text-right font-medium">{value}</dd>
              </div>
            ))}
          </dl>
          <FillList position={position} decimals={decimals} />
          <EventList id={position.id} decimals={decimals} />
        </Panel>
      </div>
    </div>
  );
}

/** Everything that happened to a position, newest first. */
function EventList({ id, decimals }: { id: string; decimals: number | undefined }) {
  const response = usePosition(id);
  return (
    <Loaded response={response} failure="Could not load events." rows={3}>
      {({ events }) => (
        <ol aria-label="Events" className="max-h-60 overflow-y-auto text-label" tabIndex={0}>
          {events.toReversed().map((event) => (
            <li key={event.id} className="flex gap-3 border-t border-line px-3 py-1.5">
              <span className="shrink-0 text-muted">
                <Time at={event.at} />
              </span>
              <span>{eventText(event, decimals)}</span>
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  );
}

/** Where the stop moved, by time: a candle may be judged after a change by the owner that applies later. */
function stopMoves(events: readonly PositionEvent[]): { atMs: number; to: number }[] {
  const isOwners = ({ kind }: PositionEvent): number => (kind === 'changed' ? 1 : 0);
  return events
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at) || isOwners(a) - isOwners(b))
    .flatMap((event) => {
      if (event.kind !== 'trail_raised' && event.kind !== 'changed') return [];
      const to = event.kind === 'changed' ? event.data.to.stop_loss : event.data.to;
      return to === undefined ? [] : [{ atMs: Date.parse(event.at), to }];
    });
}

/** Candles shown after a close, to see how the price went on. */
const AFTER_COUNT = 30;
const POLL_MS = 20_000;

interface PositionChartProps {
  position: PositionView;
  /** Last price of an open position. */
  price: number | null;
  /** Net result at that price, or of the close. */
  net: number | null;
  /** Levels as they are edited: their lines can be dragged. */
  draft: LevelDraft | null;
  /** Lets the view around it take a picture; null when it is gone. Stable. */
  onChart: (chart: ChartHandle | null) => void;
  className?: string;
}

/** Levels as they are edited, named with what they give once they are moved; null: as stored. */
function movedLevels(position: PositionView, draft: LevelDraft | null): MovedLevels | null {
  if (draft === null) return null;
  const { stop, targets, isStopMoved, isTargetMoved } = draft;
  return {
    stop,
    stopLabel: isStopMoved ? `new stop ${netText(draft.netAtStop, position)}` : 'stop',
    targets: targets.map(({ price }, at) => {
      const name = at === 0 ? 'target' : `target ${at + 1}`;
      return { price, label: isTargetMoved ? `new ${name} ${netText(draft.netAtTargets[at] ?? 0, position)}` : name };
    }),
  };
}

/** Candles of a position's life, and some after its close. @param chosen null: the interval that shows all of it */
function useLifeCandles({ exchange, symbol, openedAt, closedAt }: PositionView, chosen: ChartInterval | null) {
  const [nowMs] = useState(() => Date.now());
  const lifeMs = (closedAt ?? nowMs) - openedAt;
  const interval = chosen ?? intervalFor(lifeMs);
  const limit = candleCountFor(lifeMs, interval);
  const endTimeMs = closedAt === null ? undefined : Math.min(nowMs, closedAt + AFTER_COUNT * intervalToMs(interval));
  const response = useQuery({
    queryKey: [...queryKeys.market.candles(exchange, symbol, interval, limit), endTimeMs ?? 'now'],
    queryFn: ({ signal }) => fetchCandles({ exchange, symbol, interval, limit, endTimeMs, signal }),
    ...(closedAt === null ? { refetchInterval: POLL_MS } : { staleTime: Infinity }),
    placeholderData: keepPreviousData,
  });
  return { interval, response };
}

/** Entry, levels and the stop's way over the candles of a position's life. */
function PositionChart({ position, price, net, draft, onChart, className = '' }: PositionChartProps) {
  const [chosen, setChosen] = useState<ChartInterval | null>(null);
  const { interval, response } = useLifeCandles(position, chosen);
  const { exchange, symbol, closedAt } = position;
  const stepMs = intervalToMs(interval);
  const market = useMemo(() => ({ exchange, symbol, interval }), [exchange, symbol, interval]);
  const events = usePosition(position.id).data?.events;
  const decimals = useTickDecimals(exchange)(symbol);
  const candles = response.data?.candles;
  const marks = useChartNews(symbol, candles, stepMs);
  const orders = useMarketLevels(closedAt === null ? symbol : null);
  const forming = useForming(candles, closedAt !== null || response.isPlaceholderData ? null : price);
  const isForming = forming !== null;
  const levels = movedLevels(position, draft);
  const levelsKey = JSON.stringify(levels);
  const model = useMemo(() => {
    if (candles === undefined || candles.time.length === 0) return null;
    const moves = stopMoves(events ?? []);
    const moved = JSON.parse(levelsKey) as MovedLevels | null;
    const life = { position, moves, price, net, isForming, decimals, moved };
    const model = positionModel(candles, stepMs, life);
    return { ...model, levels: [...(model.levels ?? []), ...orders.levels], marks, forming };
  }, [orders.levels, candles, stepMs, position, events, price, net, decimals, marks, forming, isForming, levelsKey]);
  const { moveStop, moveTarget } = draft ?? {};
  const onMoveLevel = (id: string, to: number) => {
    if (orders.move(id, to)) return;
    const at = targetOfLevel(id);
    if (at === null) moveStop?.(to);
    else moveTarget?.(at, to);
  };
  return (
    <Panel
      title={`${symbol} ${position.side}`}
      aside={<Segments label="Interval" options={chartIntervals} value={interval} onSelect={setChosen} isSmall />}
      className={className}
      bodyClassName="flex min-h-[min(380px,56dvh)] flex-col"
    >
      {response.error !== null && (
        <div className="p-3">
          <ErrorState
            failure={response.error}
            text={messageOf(response.error, 'Could not load candles.')}
            onRetry={() => void response.refetch()}
          />
        </div>
      )}
      {response.isPending && <ExchangeWait />}
      <div className="relative flex-1">
        {model !== null && (
          <LateChart
            ref={onChart}
            place="position"
            model={model}
            market={market}
            isEmbedded
            {...(draft === null ? {} : { onMoveLevel })}
            className={`absolute inset-0 ${response.isPlaceholderData ? 'opacity-50' : ''}`}
          />
        )}
      </div>
      <NewsLegend marks={marks} />
      {draft !== null && <MovedBar position={position} draft={draft} decimals={decimals} />}
    </Panel>
  );
}
