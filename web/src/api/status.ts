import { exchangeNames } from '@sextant/workers/src/core/exchangeNames.ts';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';
import { queryKeys } from './queryKeys.ts';
import type { components } from './schema.gen.ts';

/** The server probes once a minute. */
const STATUS_POLL_MS = 60_000;

/** State, uptime and incidents, from the server's probes. */
export function useStatus() {
  return useQuery({
    queryKey: queryKeys.status,
    queryFn: ({ signal }) => dataOf(api.GET('/api/status', { signal })),
    refetchInterval: STATUS_POLL_MS,
  });
}

type Incident = components['schemas']['StatusResponse']['incidents'][number];

/** Names of the probed parts of the service. */
export const statusPartNames: Record<Incident['part'], string> = {
  signals: 'Signal API',
  database: 'Database',
  ...exchangeNames,
  mail: 'Mail',
  coins: 'Coin payments',
  cards: 'Card payments',
  ai: 'AI model',
  feeds: 'News feeds',
  telegram: 'Telegram',
  storage: 'File storage',
  service: 'Whole service',
};
