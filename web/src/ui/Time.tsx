import { useEffect, useState } from 'react';
import { formatCandle, formatDuration, formatMoment, isDated, localZone } from '../format/time.ts';
import { useStore } from '../state/store.ts';
import { timeZoneState } from '../state/timeZone.ts';

/** A time in the user's time zone, with the other one on hover. */
export function Time({ at, hasSeconds = false }: { at: number | string | null; hasSeconds?: boolean }) {
  const { zone } = useStore(timeZoneState);
  const [shown, other] = formatMoment(at, zone, hasSeconds);
  return <time title={other}>{shown}</time>;
}

/** Open time of a candle: the UTC date of a day or longer. */
export function CandleTime({ at, lengthMs }: { at: number | string | null; lengthMs: number }) {
  const { zone } = useStore(timeZoneState);
  const [shown, other] = formatCandle(at, lengthMs, zone);
  return <time title={other}>{shown}</time>;
}

/** Time zone of the candles in a table. */
export function CandleZone({ lengthMs }: { lengthMs: number }) {
  const { zone } = useStore(timeZoneState);
  if (isDated(lengthMs)) return 'Dates in UTC';
  return `Times in ${zone === 'utc' ? 'UTC' : localZone()}`;
}

/** `Binance, 3 s old`, updated each second; the title is the full time. */
export function Age({ sinceMs, prefix = '' }: { sinceMs: number; prefix?: string }) {
  const ageMs = useNow(1000) - sinceMs;
  return (
    <time dateTime={new Date(sinceMs).toISOString()} title={new Date(sinceMs).toISOString()} className="tabular-nums">
      {prefix !== '' && `${prefix}, `}
      {ageMs < 1000 ? 'just now' : `${formatDuration(ageMs)} old`}
    </time>
  );
}

export function useNow(everyMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
