import type { ExchangeId, Venue } from './port.ts';

/** Status for the health check from the last known exchange states; sends no request. */
export function externalStatus(
  venues: Record<ExchangeId, Pick<Venue, 'state'>>,
): 'ok' | 'degraded' | 'down' | 'unknown' {
  const states = Object.values(venues).map((venue) => venue.state());
  const requested = states.filter((state) => state !== 'unknown');
  if (requested.length === 0) return 'unknown';
  const failing = requested.filter((state) => state !== 'ok');
  if (failing.length === 0) return 'ok';
  return failing.length === requested.length ? 'down' : 'degraded';
}
