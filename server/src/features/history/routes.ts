import { intervalMs } from '@sextant/engine-as/abi/intervals.ts';
import { packStored } from '@sextant/workers/src/candles/storedCandles.ts';
import { withSystem } from '../../platform/db/scope.ts';
import type { App } from '../../platform/http/app.ts';
import { holdSlot } from '../../platform/http/holdSlot.ts';
import { problems } from '../../platform/http/problem.ts';
import { createSlots } from '../../platform/limits/slots.ts';
import { lastClosedOpen } from '../market/intervals.ts';
import type { ExchangeId, Interval, PriceKind } from '../market/port.ts';
import { type ChunkRow, readChunks, readRevisions, setAside, type StoredSeries } from './chunkRepository.ts';
import { StoredCandlesBytes, StoredCandlesQuery, StoredHistoryQuery, StoredHistoryResponse } from './contract.ts';
import { describeHistory, type DescribeDeps } from './describeHistory.ts';
import type { Revision } from './mergeChunk.ts';
import { type BarRange, clipRanges, withRange } from './ranges.ts';

export type HistoryRouteDeps = DescribeDeps;

const tags = ['Market'];
/** A description unpacks every candle of a symbol. */
const describeSlots = { slotCount: 2, perKey: 1, queueMaxPerKey: 4, waitMsMax: 5000 };
/** A response holds up to a megabyte. */
const downloadSlots = { slotCount: 8, perKey: 2, queueMaxPerKey: 6, waitMsMax: 5000 };

/** What is stored, and the stored candles themselves. */
export function historyRoutes(app: App, deps: HistoryRouteDeps): void {
  const slots = createSlots(describeSlots);
  app.get(
    '/api/market/history',
    {
      onRequest: [app.requireUser, (request, reply) => holdSlot(slots, request.user.id, reply)],
      schema: {
        access: 'read:market',
        sandbox: 'none',
        tags,
        summary: 'Read which candles and fundings of a symbol are stored',
        description: 'Candles of the last minute may not be stored yet.',
        querystring: StoredHistoryQuery,
        response: {
          200: StoredHistoryResponse,
          ...problems('validation_failed', 'not_authenticated', 'overloaded'),
        },
      },
    },
    (request) => describeHistory(deps, request.query),
  );
  candlesRoute(app, deps);
}

function candlesRoute(app: App, deps: HistoryRouteDeps): void {
  const slots = createSlots(downloadSlots);
  app.get(
    '/api/market/history/candles',
    {
      onRequest: [app.requireUser, (request, reply) => holdSlot(slots, request.user.id, reply)],
      schema: {
        access: 'read:market',
        sandbox: 'none',
        tags,
        summary: 'Read stored candles in packed form',
        description: 'Only what is stored; `GET /api/klines` fetches the rest.',
        querystring: StoredCandlesQuery,
        response: {
          200: {
            description: 'Packed columns.',
            content: { 'application/octet-stream': { schema: StoredCandlesBytes } },
          },
          ...problems('validation_failed', 'not_authenticated', 'overloaded'),
        },
      },
    },
    async (request, reply) => {
      const bytes = await packStretch(deps, request.query);
      return reply.type('application/octet-stream').send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    },
  );
}

interface StretchQuery {
  exchange: ExchangeId;
  symbol: string;
  interval: Interval;
  price: PriceKind;
  limit: number;
  endTime?: number | undefined;
}

/** The newest contiguous stretch as chunks. The checksums are verified, so a broken chunk is never sent. */
async function packStretch(
  { db, historySource: source, now = Date.now }: HistoryRouteDeps,
  { limit, endTime, ...query }: StretchQuery,
): Promise<Uint8Array> {
  const series: StoredSeries = { source, ...query };
  const stepMs = intervalMs[query.interval];
  const toMs = lastClosedOpen(query.interval, Math.min(now(), endTime ?? Infinity));
  const range = { fromMs: toMs - (limit - 1) * stepMs, toMs };
  const { chunks, revisions } = await withSystem(db, async (tx) => {
    const read = await readChunks(tx, series, range);
    for (const each of read.broken) await setAside(tx, series, each);
    const isRevised = read.chunks.some(({ revisedCount }) => revisedCount > 0);
    return {
      chunks: read.chunks,
      revisions: isRevised ? await readRevisions(tx, series, range) : new Map<number, Revision>(),
    };
  });
  const stretch = newestStretch(chunks, range, stepMs);
  const inside = chunks.filter(({ candles }) => stretch !== undefined && (candles.time.at(-1) ?? 0) >= stretch.fromMs);
  const header = {
    exchange: query.exchange,
    fromMs: stretch?.fromMs ?? null,
    toMs: stretch?.toMs ?? null,
    chunks: inside.map(({ payload }) => payload.length),
    revisions: [...revisions.values()].map(({ time, open, high, low, close, volume }) => [
      time,
      open,
      high,
      low,
      close,
      volume,
    ]),
  };
  return packStored(
    header,
    inside.map(({ payload }) => payload),
  );
}

function newestStretch(chunks: readonly ChunkRow[], range: BarRange, stepMs: number): BarRange | undefined {
  let covered: BarRange[] = [];
  for (const chunk of chunks) for (const each of chunk.covered) covered = withRange(covered, each, stepMs);
  return clipRanges(covered, range).at(-1);
}
