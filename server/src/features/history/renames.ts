import { DAY_MS } from '@sextant/engine-as/abi/intervals.ts';
import type { SystemTx } from '../../platform/db/scope.ts';
import type { ExchangeId } from '../market/port.ts';
import type { ListingDates } from './port.ts';
import { readListing } from './universeRepository.ts';

/**
 * Renamed contracts. No list of an exchange says that a contract continues another one: the old contract is settled, and a new one is listed
 * days before or after. So the tokens that were exchanged one for one are recorded here, as public facts; the contracts themselves come
 * from the stored lists.
 */

interface Rename {
  /** Base of the old contract and of the one that continues it. */
  from: string;
  to: string;
  /** UTC day on which the named source's exchange ended the old one. */
  day: string;
  source: string;
}

export const renames: readonly Rename[] = [
  {
    from: 'RNDR',
    to: 'RENDER',
    day: '2024-07-09',
    source: 'https://azc.news/okx-delists-rndr-futures-and-margin-trading-id24185',
  },
  {
    from: 'MATIC',
    to: 'POL',
    day: '2024-09-09',
    source:
      'https://dailychain.news/binance-to-halt-polygons-matic-trades-for-upcoming-pol-swap-warns-users-of-potential-scams',
  },
  { from: 'FTM', to: 'S', day: '2025-01-13', source: 'https://binance.com/en-JP/square/post/17987822306257' },
  {
    from: 'EOS',
    to: 'A',
    day: '2025-05-22',
    source: 'https://panewslab.deeptrading.me/jp/articledetails/retk3bvg.html',
  },
];

/** Exchanges follow a rename within weeks. Later the old name, or the new one before, may be that of another token. */
const FOLLOWED_WITHIN_MS = 90 * DAY_MS;

const symbolOf = (base: string): string => `${base}USDT`;

const isNear = (rename: Rename, atMs: number): boolean => Math.abs(atMs - Date.parse(rename.day)) <= FOLLOWED_WITHIN_MS;

/** The rename that ended a contract; undefined where none is recorded. @param endedAtMs end of the contract */
export const renameThatEnded = (symbol: string, endedAtMs: number): Rename | undefined =>
  renames.find((rename) => symbolOf(rename.from) === symbol && isNear(rename, endedAtMs));

/** A contract that another one continues, or that continues it, with the source of the rename. */
export interface RenamedContract {
  symbol: string;
  source: string;
}

interface Contract {
  /** The world that the lists belong to. */
  source: string;
  exchange: ExchangeId;
  symbol: string;
}

/** The contracts of the same token before and after this one, where the lists of its exchange have both. */
export async function readRenamed(
  tx: SystemTx,
  { symbol, ...venue }: Contract,
): Promise<{ predecessor: RenamedContract | null; successor: RenamedContract | null }> {
  const found: Awaited<ReturnType<typeof readRenamed>> = { predecessor: null, successor: null };
  for (const rename of renames) {
    const [from, to] = [symbolOf(rename.from), symbolOf(rename.to)];
    if (symbol !== from && symbol !== to) continue;
    const [before, after] = [
      await readListing(tx, { ...venue, symbol: from }),
      await readListing(tx, { ...venue, symbol: to }),
    ];
    if (!isContinued(rename, before, after)) continue;
    if (symbol === to) found.predecessor = { symbol: from, source: rename.source };
    else found.successor = { symbol: to, source: rename.source };
  }
  return found;
}

const isContinued = (rename: Rename, before: ListingDates | null, after: ListingDates | null): boolean =>
  before !== null &&
  before.endedAt !== null &&
  isNear(rename, before.endedAt) &&
  after !== null &&
  after.firstSeenAt >= Date.parse(rename.day) - FOLLOWED_WITHIN_MS;
