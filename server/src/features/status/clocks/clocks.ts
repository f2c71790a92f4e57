import { MINUTE_MS } from '@sextant/engine-as/abi/intervals.ts';
import { exchangeNames } from '@sextant/workers/src/core/exchangeNames.ts';
import {
  CLOCK_DEGRADED_MS,
  CLOCK_OK_AGAIN_MS,
  type ClockOffset,
  isOut,
  offsetOf,
  provenMs,
} from '../../../platform/clockOffset.ts';
import { repeat } from '../../../platform/repeat.ts';
import type { ExchangeId } from '../../market/port.ts';

/** `out`: this node's clock is wrong; `degraded`: it differs from another clock by more than 2 s. */
export interface ClockState {
  kind: 'ok' | 'degraded' | 'out';
  /** One sentence; empty when `ok`. */
  message: string;
}

/** Differences of this node's clock to those of the database and of the exchanges. */
export interface Clocks {
  /** Reads the database's clock now. Rejects when it cannot be read; the last offset stays. */
  measure: () => Promise<void>;
  database: () => ClockOffset | undefined;
  exchanges: () => Partial<Record<ExchangeId, ClockOffset>>;
  state: () => ClockState;
  /** Whether this node's clock is near the database's, by which all nodes divide their work; unknown counts as near. */
  isNearDatabase: () => boolean;
  /** Measures now and every minute. @returns stops it */
  start: (onError: (error: unknown) => void) => () => void;
}

export interface ClocksOptions {
  /** Clock of the database, epoch ms. */
  readDatabaseMs: () => Promise<number>;
  /** From the `Date` headers of the exchanges' responses, of which a probe causes one a minute. */
  readExchanges: () => Partial<Record<ExchangeId, ClockOffset>>;
  now?: () => number;
}

/** A reading with a larger error proves too little to replace an earlier one. */
const errorMsMax = 1000;

const inSeconds = (ms: number): string => `${(Math.abs(ms) / 1000).toFixed(1)} s`;
const sideOf = ({ offsetMs }: ClockOffset): string => (offsetMs > 0 ? 'behind' : 'ahead of');

export function createClocks({ readDatabaseMs, readExchanges, now = Date.now }: ClocksOptions): Clocks {
  let database: ClockOffset | undefined;
  let isNear = true;
  let before: ClockState['kind'] = 'ok';
  async function measure(): Promise<void> {
    const sentAtMs = now();
    const theirsMs = await readDatabaseMs();
    const read = offsetOf({ sentAtMs, receivedAtMs: now(), theirsMs });
    if (read.errorMs <= errorMsMax || provenMs(read) > CLOCK_DEGRADED_MS) database = read;
    if (database !== undefined) isNear = !isOut(database, !isNear);
  }
  return {
    measure,
    database: () => database,
    exchanges: readExchanges,
    state: () => {
      const state = judgeClocks(database, readExchanges(), before);
      before = state.kind;
      return state;
    },
    isNearDatabase: () => isNear,
    start: (onError) => repeat(MINUTE_MS, measure, onError),
  };
}

/**
 * The database is every node's reference. Of the exchanges a single one may be wrong: only when all of at least two agree that this node is
 * far off, its clock is wrong, although the database, perhaps on the same machine, agrees with it.
 * @param before the last state: to leave it for a better one takes a smaller difference
 */
export function judgeClocks(
  database: ClockOffset | undefined,
  exchanges: Partial<Record<ExchangeId, ClockOffset>>,
  before: ClockState['kind'] = 'ok',
): ClockState {
  const degradedMs = before === 'ok' ? CLOCK_DEGRADED_MS : CLOCK_OK_AGAIN_MS;
  const venues = Object.entries(exchanges) as [ExchangeId, ClockOffset][];
  const isFar = (offset: ClockOffset): boolean => isOut(offset, before === 'out');
  if (database !== undefined && isFar(database)) return { kind: 'out', message: databaseMessage(database) };
  const sides = new Set(venues.map(([, { offsetMs }]) => Math.sign(offsetMs)));
  const [first] = venues;
  if (first !== undefined && venues.length > 1 && sides.size === 1 && venues.every(([, offset]) => isFar(offset)))
    return { kind: 'out', message: venueMessage(...first) };
  if (database !== undefined && provenMs(database) > degradedMs)
    return { kind: 'degraded', message: databaseMessage(database) };
  const off = venues.find(([, offset]) => provenMs(offset) > degradedMs);
  return off === undefined ? { kind: 'ok', message: '' } : { kind: 'degraded', message: venueMessage(...off) };
}

const databaseMessage = (offset: ClockOffset): string =>
  `The clock of this node is ${inSeconds(offset.offsetMs)} ${sideOf(offset)} the database's.`;
const venueMessage = (exchange: ExchangeId, offset: ClockOffset): string =>
  `The clock of this node is ${inSeconds(offset.offsetMs)} ${sideOf(offset)} that of ${exchangeNames[exchange]}.`;
