import { api, dataOf } from '../../api/client.ts';
import type { Run } from './backtestState.ts';
import { compareHashes, hashesOf, type Verification } from './hashes.ts';
import { paramsToJson } from './params.ts';

/**
 * Runs the same candles, parameters and costs on the server.
 * @throws ApiFailure when it refuses, UnexpectedAnswer when what comes back is no backtest
 */
export async function verifyOnServer({ loaded, params, costs, scoredCount, result }: Run): Promise<Verification> {
  const { time, open, high, low, close, volume } = loaded.candles;
  const columns = { time, open, high, low, close, volume };
  const answer = await dataOf(
    api.POST('/api/backtest', {
      body: {
        interval: loaded.interval,
        candles: Object.fromEntries(
          Object.entries(columns).map(([name, column]) => [name, Array.from(column)]),
        ) as Record<keyof typeof columns, number[]>,
        params: paramsToJson(params),
        costs: costsToJson(costs),
        scored: scoredCount,
      },
    }),
  );
  return compareHashes(result.hashes, hashesOf(answer));
}

/** JSON has no typed arrays. */
function costsToJson({ funding, ...costs }: Run['costs']) {
  if (funding === undefined) return costs;
  return { ...costs, funding: { time: Array.from(funding.time), rate: Array.from(funding.rate) } };
}
