import type { Turnover } from '../../features/market/port.ts';
import type { Listed } from './universe.ts';
import { UpstreamError } from './upstreamError.ts';

/** Turnovers of symbols we list, largest first. @throws UpstreamError when not one can be used */
export function knownTurnovers(
  rows: readonly { id: string; turnover: unknown }[],
  universe: ReadonlyMap<string, Listed>,
  name: string,
): Turnover[] {
  const symbols = new Map([...universe.values()].map(({ id, listing }) => [id, listing]));
  const found = rows.flatMap(({ id, turnover }) => {
    const listing = symbols.get(id);
    const turnoverUsdt = Number(turnover);
    const isUsable = listing?.status === 'trading' && Number.isFinite(turnoverUsdt) && turnoverUsdt > 0;
    return isUsable ? [{ symbol: listing.symbol, turnoverUsdt }] : [];
  });
  if (found.length === 0) throw new UpstreamError('unavailable', `${name} sent no usable turnover.`);
  return found.sort((a, b) => b.turnoverUsdt - a.turnoverUsdt);
}
