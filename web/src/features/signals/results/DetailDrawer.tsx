import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { messageOf } from '../../../api/failure.ts';
import { fetchCandles, useTickDecimals } from '../../../api/market.ts';
import type { IntervalName, Scan, ScanSignal } from '../../../api/types.ts';
import { LateChart } from '../../../charts/LateChart.tsx';
import { formatMoney, formatPrice, formatQuantity, formatSigned, priceDecimals } from '../../../format/number.ts';
import { voteName } from '../../../format/voteName.ts';
import { ErrorState } from '../../../ui/Panel.tsx';
import { Time } from '../../../ui/Time.tsx';
import { useIsWide } from '../../../ui/useMedia.ts';
import { OpenDialog } from '../open/OpenDialog.tsx';
import { AiOpinion } from './AiOpinion.tsx';
import { DirectionMark } from './DirectionMark.tsx';
import { LiquidationNote } from './LiquidationNote.tsx';
import { ReproducePanel } from './ReproducePanel.tsx';
import { WatchStar } from './ResultTable.tsx';
import { confidenceText, horizonText, reasonCode, reasonText } from './signalText.ts';

interface Props {
  signal: ScanSignal;
  scan: Scan;
  onClose: () => void;
}

/** Beside the table where there is room, so that the arrow keys go on walking its rows; a sheet elsewhere. */
export function DetailDrawer({ signal, scan, onClose }: Props) {
  const isWide = useIsWide('desktop');
  const title = `${signal.symbol} ${signal.interval}`;
  if (isWide)
    return (
      <aside
        aria-label={title}
        className="panel sticky top-[calc(var(--bar-height)+12px)] max-h-[calc(100dvh-var(--bar-height)-24px)] w-120 shrink-0 self-start overflow-y-auto"
      >
        <Head
          title={<h2 className="text-section font-semibold">{title}</h2>}
          signal={signal}
          close={
            <button type="button" aria-label="Close details" className="btn btn-ghost btn-icon" onClick={onClose}>
              <X size={16} aria-hidden="true" />
            </button>
          }
        />
        <Details signal={signal} scan={scan} />
      </aside>
    );
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-bg/70" />
        <Dialog.Popup className="popup fixed inset-x-0 bottom-0 z-50 mx-auto max-h-[88dvh] w-full max-w-120 overflow-y-auto">
          <Head
            title={<Dialog.Title className="text-section font-semibold">{title}</Dialog.Title>}
            signal={signal}
            close={
              <Dialog.Close aria-label="Close details" className="btn btn-ghost btn-icon">
                <X size={16} aria-hidden="true" />
              </Dialog.Close>
            }
          />
          <Details signal={signal} scan={scan} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Head({ title, signal, close }: { title: ReactNode; signal: ScanSignal; close: ReactNode }) {
  return (
    <header className="sticky top-0 z-10 flex min-h-11 items-center gap-2 border-b border-line bg-panel px-3">
      {title}
      <DirectionMark direction={signal.direction} />
      <span className="flex-1" />
      <WatchStar symbol={signal.symbol} />
      {close}
    </header>
  );
}

/** A signal without a direction has nothing to open. */
function OpenButton({ signal, scan }: Omit<Props, 'onClose'>) {
  const [isAsked, setAsked] = useState(false);
  if (signal.direction === 'NEUTRAL') return null;
  return (
    <>
      <button type="button" className="btn btn-primary self-start" onClick={() => setAsked(true)}>
        Open a position
      </button>
      <OpenDialog signal={signal} scan={scan} isOpen={isAsked} onDone={() => setAsked(false)} />
    </>
  );
}

function Details({ signal, scan }: Omit<Props, 'onClose'>) {
  const { position } = signal;
  const horizon = horizonText(signal.horizon_min);
  const decimals = useTickDecimals()(signal.symbol);
  const figures: [string, ReactNode][] = [
    ['Confidence', confidenceText(signal.confidence)],
    ['Score', signal.score.toFixed(4)],
    ['Entry Price', formatPrice(signal.price, decimals)],
    ['Stop Loss', formatPrice(signal.stopLoss, decimals)],
    ['Take Profit', formatPrice(signal.takeProfit, decimals)],
    ['Liquidation', formatPrice(position.liquidationApprox, decimals)],
    ['Risk', signal.riskLabel],
    ['Horizon', horizon ?? 'N/A'],
    ['Quantity', formatQuantity(position.qty)],
    ['Notional, USDT', formatMoney(position.sizeUsdt)],
    ['Leverage', `${position.leverage}x`],
    ['Loss at stop, USDT', formatMoney(position.loss_at_stop)],
    ['Candle closed', <Time key="close" at={signal.candle_close_at} />],
    ['Independent votes', `${signal.effective_votes.toFixed(1)} of ${signal.live_votes}`],
  ];
  return (
    <div className="flex flex-col gap-4 p-3">
      <p className="text-label text-muted">
        {reasonText(reasonCode(signal.outcome, signal.filtered_by))}. Confidence is not a probability. The position is
        simulated.
      </p>
      <LiquidationNote signal={signal} />
      <OpenButton signal={signal} scan={scan} />
      <AiOpinion signal={signal} isFull />
      <LevelChart signal={signal} />
      <dl className="grid grid-cols-2 gap-x-6">
        {figures.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-2 border-b border-line py-1">
            <dt className="text-muted">{name}</dt>
            <dd className="font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      <Contributions signal={signal} />
      <ReproducePanel key={signal.signal_id} signal={signal} params={scan.params} />
    </div>
  );
}

const CANDLE_COUNT = 60;

/** The candles up to the signal, and its levels. */
function LevelChart({ signal }: { signal: ScanSignal }) {
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

/** What each vote adds to the score, largest first; they sum to it exactly. */
function Contributions({ signal }: { signal: ScanSignal }) {
  const parts = signal.contributions
    .filter(({ contribution }) => contribution !== 0)
    .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
  const largest = Math.max(...parts.map(({ contribution }) => Math.abs(contribution)), Number.MIN_VALUE);
  return (
    <section>
      <h3 className="mb-1 font-semibold">Score breakdown</h3>
      <ul aria-label="Contributions" className="text-label">
        {parts.map(({ vote, interval, contribution }) => (
          <li key={`${vote} ${interval}`} className="grid h-6 grid-cols-[150px_1fr_60px] items-center gap-2">
            <span className="truncate">
              {voteName(vote)} <span className="text-muted">{interval}</span>
            </span>
            <span aria-hidden="true" className="relative h-2 bg-row-hover">
              <span
                className={`absolute inset-y-0 ${contribution > 0 ? 'left-1/2 bg-up' : 'right-1/2 bg-down'}`}
                style={{ width: `${(Math.abs(contribution) / largest) * 50}%` }}
              />
              <span className="absolute inset-y-0 left-1/2 w-px bg-muted" />
            </span>
            <span className="text-right font-mono">{formatSigned(contribution, 3)}</span>
          </li>
        ))}
        <li className="mt-1 flex justify-between border-t border-line pt-1 font-medium">
          <span>Score, -1 to 1</span>
          <span className="font-mono">{formatSigned(signal.score, 3)}</span>
        </li>
      </ul>
    </section>
  );
}
