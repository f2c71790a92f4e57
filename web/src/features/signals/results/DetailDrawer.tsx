import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTickDecimals } from '../../../api/market.ts';
import type { Scan, ScanSignal } from '../../../api/types.ts';
import { formatMoney, formatPrice, formatQuantity } from '../../../format/number.ts';
import { Time } from '../../../ui/Time.tsx';
import { useIsWide } from '../../../ui/useIsWide.ts';
import { OpenDialog } from '../open/OpenDialog.tsx';
import { AiOpinion } from './AiOpinion.tsx';
import { Contributions } from './Contributions.tsx';
import { DirectionMark } from './DirectionMark.tsx';
import { LiquidationNote } from './LiquidationNote.tsx';
import { LevelChart } from './LevelChart.tsx';
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
        {reasonText(reasonCode(signal.outcome, signal.filtered_by))}. Confidence is no probability until outcomes have
        been counted; the position is simulated.
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
