import type { SystemTx } from '../../platform/db/scope.ts';
import type { ExchangeId } from '../market/port.ts';
import { renameThatEnded } from './renames.ts';
import { readListing } from './universeRepository.ts';

export interface EndedContract {
  exchange: ExchangeId;
  symbol: string;
}

/** End of a contract with the UTC day, in words for its user, and the token that continues its own where that is known. */
export function delistedText({ exchange, symbol }: EndedContract, day: string): string {
  const text = `${symbol} was delisted on ${exchange} on ${day}.`;
  const rename = renameThatEnded(symbol, Date.parse(day));
  return rename === undefined ? text : `${text} ${rename.from} became ${rename.to}.`;
}

/** Day on which a contract ended, `2026-03-04`: as its list had it, or today when no list of it is stored. */
export async function describeEnd(
  tx: SystemTx,
  source: string,
  contract: EndedContract,
  nowMs: number,
): Promise<{ day: string; text: string }> {
  const listing = await readListing(tx, { source, ...contract });
  const day = new Date(listing?.endedAt ?? nowMs).toISOString().slice(0, 10);
  return { day, text: delistedText(contract, day) };
}
