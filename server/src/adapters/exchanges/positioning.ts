import type {
  LongShortSeries,
  OpenInterest,
  OpenInterestSeries,
  PositioningInterval,
} from '../../features/market/port.ts';
import type { VenueContext } from './context.ts';
import type { Transport } from './transport.ts';
import { UpstreamError } from './upstreamError.ts';

/** An unchecked value at a time; numbers may be text. */
export interface RawPoint {
  value: unknown;
  atMs: unknown;
}

export interface PositioningRequest {
  /** The exchange's own id of the symbol. */
  id: string;
  interval: PositioningInterval;
}

/** Open interest and long/short ratios of one exchange. Quantities in the unit of its order sizes. */
export interface PositioningDialect {
  /** Undefined when the response names another symbol. */
  openInterest: (transport: Transport, id: string) => Promise<RawPoint | undefined>;
  /** The newest points of a series, in any order. */
  openInterestSeries: (transport: Transport, request: PositioningRequest) => Promise<RawPoint[]>;
  /** The same: accounts that are long per account that is short. */
  longShortSeries: (transport: Transport, request: PositioningRequest) => Promise<RawPoint[]>;
}

/** Longest that a value of an exchange may be ahead of our clock. */
const AHEAD_MS = 60_000;
/** No market has more contracts open, and no ratio is larger. */
const VALUE_MAX = 1e15;

interface Point {
  value: number;
  atMs: number;
}

function pointOf({ value, atMs }: RawPoint, nowMs: number): Point | undefined {
  const [number, time] = [value, atMs].map((each) => (each === '' || each === null ? NaN : Number(each)));
  if (number === undefined || !(number > 0 && number < VALUE_MAX)) return undefined;
  if (time === undefined || !(Number.isSafeInteger(time) && time > 0 && time <= nowMs + AHEAD_MS)) return undefined;
  return { value: number, atMs: time };
}

/** Coins in one unit of the order sizes. */
const unitOf = ({ dialect }: VenueContext, contractSize: number): number =>
  dialect.quantityUnit === 'contracts' ? contractSize : 1;

/** The contracts that are open now. @throws UpstreamError for an unusable response */
export async function readOpenInterest(context: VenueContext, symbol: string): Promise<OpenInterest> {
  const { dialect, transport, clock, rules } = context;
  const { id, contractSize } = await context.listed(symbol);
  const raw = await dialect.positioning.openInterest(transport, id);
  const point = raw && pointOf(raw, clock.now());
  if (point === undefined)
    throw new UpstreamError('unavailable', `${rules.name} sent an invalid open interest for ${symbol}.`);
  return { symbol, quantity: point.value * unitOf(context, contractSize), atMs: point.atMs };
}

/** Points by time, oldest first; undefined when one is unusable: a series with a wrong point is not shown. */
function sortedPoints(raws: readonly RawPoint[], nowMs: number): Point[] | undefined {
  const byTime = new Map<number, Point>();
  for (const raw of raws) {
    const point = pointOf(raw, nowMs);
    if (point === undefined) return undefined;
    byTime.set(point.atMs, point);
  }
  return [...byTime.values()].sort((a, b) => a.atMs - b.atMs);
}

interface SeriesRequest {
  symbol: string;
  interval: PositioningInterval;
}

export async function readOpenInterestSeries(
  context: VenueContext,
  { symbol, interval }: SeriesRequest,
): Promise<OpenInterestSeries> {
  const { dialect, transport, clock, rules } = context;
  const { id, contractSize } = await context.listed(symbol);
  const points = sortedPoints(await dialect.positioning.openInterestSeries(transport, { id, interval }), clock.now());
  if (points === undefined)
    throw new UpstreamError('unavailable', `${rules.name} sent an invalid open interest for ${symbol}.`);
  const unit = unitOf(context, contractSize);
  return { time: points.map(({ atMs }) => atMs), quantity: points.map(({ value }) => value * unit) };
}

export async function readLongShortSeries(
  context: VenueContext,
  { symbol, interval }: SeriesRequest,
): Promise<LongShortSeries> {
  const { dialect, transport, clock, rules } = context;
  const { id } = await context.listed(symbol);
  const points = sortedPoints(await dialect.positioning.longShortSeries(transport, { id, interval }), clock.now());
  if (points === undefined)
    throw new UpstreamError('unavailable', `${rules.name} sent invalid long/short ratios for ${symbol}.`);
  return { time: points.map(({ atMs }) => atMs), ratio: points.map(({ value }) => value) };
}
