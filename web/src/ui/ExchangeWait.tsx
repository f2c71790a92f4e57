import { useSnapshot } from 'valtio';
import { exchangeWaits, nameOfWait } from '../data/exchangeWait.ts';
import { serverClock } from '../api/serverClock.ts';
import { useNow } from './Time.tsx';

/** `Waiting for Binance: about 12 s`, counted down by the server's clock; nothing while no request waits for a slot. */
export function ExchangeWait() {
  const { waits } = useSnapshot(exchangeWaits);
  const next = waits.toSorted((a, b) => a.untilMs - b.untilMs)[0];
  return next !== undefined && <WaitWords exchange={next.exchange} untilMs={next.untilMs} />;
}

function WaitWords({ exchange, untilMs }: { exchange: string | null; untilMs: number }) {
  // Draws again; the time is the server's.
  useNow(500);
  const seconds = Math.max(1, Math.ceil((untilMs - serverClock.now()) / 1000));
  return (
    <p role="status" className="w-full text-label text-warn tabular-nums">
      Waiting for {nameOfWait(exchange)}: about {seconds} s
    </p>
  );
}
