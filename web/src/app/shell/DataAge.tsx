import { messageOf } from '../../api/failure.ts';
import { PRICE_POLL_MS, usePrices, useWatchedSymbols } from '../../api/market.ts';
import { formatDuration } from '../../format/time.ts';
import { useNow } from '../../ui/Age.tsx';
import { Hint } from '../../ui/Hint.tsx';
import { dataAgeState } from './dataAgeState.ts';

const looks = {
  waiting: { dot: 'bg-muted', text: 'Waiting' },
  live: { dot: 'bg-up', text: 'Live' },
  stale: { dot: 'bg-warn', text: 'Stale' },
  offline: { dot: 'bg-down', text: 'Offline' },
} as const;

/** How fresh the prices on screen are. The hover says exactly what is how old, and what failed. */
export function DataAge() {
  const prices = usePrices(useWatchedSymbols());
  const nowMs = useNow(1000);
  const confirmedAtMs = prices.data?.confirmedAtMs ?? null;
  const isFailing = prices.error !== null;
  const state = dataAgeState({ confirmedAtMs, isFailing, nowMs, intervalMs: PRICE_POLL_MS });
  const age = confirmedAtMs === null ? null : formatDuration(nowMs - confirmedAtMs);
  const { dot, text } = looks[state];
  const lines = [
    age === null ? 'No price has arrived yet.' : `Prices from ${prices.data?.exchange ?? 'the exchange'}, ${age} old.`,
    `Asked every ${formatDuration(PRICE_POLL_MS)}; amber from ${formatDuration(2 * PRICE_POLL_MS)} on.`,
    ...(isFailing ? [messageOf(prices.error, 'The last request failed.')] : []),
  ];
  return (
    <Hint label={`Data: ${text}`} lines={lines} className="btn btn-ghost btn-small">
      <span aria-hidden="true" className={`size-2 rounded-full ${dot}`} />
      <span className="min-w-9 text-left max-md:hidden">{text}</span>
    </Hint>
  );
}
