import type { VenueId } from '@sextant/engine-as/abi/costs.ts';
import { type StoredStretch, unpackStored } from '@sextant/workers/src/candles/storedCandles.ts';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { api, dataOf } from '../api/client.ts';
import type { IntervalName } from '../api/types.ts';

interface StoredQuery {
  exchange: VenueId;
  symbol: string;
  interval: IntervalName;
  limit: number;
  endTimeMs?: number | undefined;
  price: 'last' | 'mark';
  signal: AbortSignal;
}

async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The newest contiguous stretch of candles that the server has stored; null without any. @throws ApiFailure, AbortError */
export async function fetchStored({ endTimeMs, signal, ...query }: StoredQuery): Promise<StoredStretch | null> {
  const bytes = await dataOf(
    api.GET('/api/market/history/candles', {
      params: { query: { ...query, ...withoutUndefined({ endTime: endTimeMs }) } },
      parseAs: 'arrayBuffer',
      signal,
    }),
  );
  return unpackStored(new Uint8Array(bytes), inflate);
}
