import { proxy, subscribe } from 'valtio';
import { readSaved, save } from '../../state/storage.ts';
import { onUserReset } from '../../state/userReset.ts';
import { formatFixed, formatSigned, NO_VALUE } from '../../format/number.ts';

const KEY = 'watch.positioning';

/** Whether the watch list shows open interest, long/short ratio and funding. */
export const positioningColumns = proxy({ isShown: readSaved(KEY) === 'on' });
subscribe(positioningColumns, () => save(KEY, positioningColumns.isShown ? 'on' : null));
onUserReset(() => {
  positioningColumns.isShown = false;
});

const units = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** Large amounts in three or four digits: `1.23B`, `456.0M`. */
export function formatLarge(amount: number | null | undefined): string {
  if (amount === null || amount === undefined || !Number.isFinite(amount)) return NO_VALUE;
  const [size, unit] = units.find(([least]) => Math.abs(amount) >= least) ?? [1, ''];
  return `${formatFixed(amount / size, Math.abs(amount / size) >= 100 ? 1 : 2)}${unit}`;
}

const MINUTE_MS = 60_000;

/** Time to the next funding: `2 h 05 min`; `due` once it has passed. */
export function formatClock(nextMs: number, nowMs: number): string {
  const minutes = Math.ceil((nextMs - nowMs) / MINUTE_MS);
  if (minutes <= 0) return 'due';
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return hours === 0 ? `${rest} min` : `${hours} h ${String(rest).padStart(2, '0')} min`;
}

/** `+0.0100 %`: the sign says who pays. */
export const formatFunding = (rate: number | null | undefined): string =>
  rate === null || rate === undefined ? NO_VALUE : `${formatSigned(rate * 100, 4)}\u00a0%`;
