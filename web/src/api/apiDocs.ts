import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';
import { isUnreachable, messageOf } from './failure.ts';
import { queryKeys } from './queryKeys.ts';

/** The calls of the documentation with their examples; the same for everybody, and fixed while the server runs. */
export function useDocumentation() {
  return useQuery({
    queryKey: queryKeys.apiDocs.calls,
    queryFn: ({ signal }) => dataOf(api.GET('/api/documentation', { signal })),
    staleTime: Infinity,
  });
}

export function useCollections() {
  return useQuery({
    queryKey: queryKeys.apiDocs.collections,
    queryFn: ({ signal }) => dataOf(api.GET('/api/collections', { signal })),
    select: (response) => response.collections,
    staleTime: Infinity,
  });
}

export function useErrorInfo() {
  return useQuery({
    queryKey: queryKeys.apiDocs.errors,
    queryFn: ({ signal }) => dataOf(api.GET('/api/errors', { signal })),
    staleTime: Infinity,
  });
}

const HEALTH_POLL_MS = 60_000;

export interface HealthCheck {
  status: 'online' | 'offline';
  message: string;
  /** Milliseconds of the round trip from this browser; null when it failed. */
  responseTime: number | null;
  /** Fraction of the checks since page load that succeeded; 0 when this one failed. */
  uptime: number;
  checkCount: number;
}

/** Checks made by this page only. */
const measured = { checks: 0, answered: 0 };

/** The message of the response; the default text when there is no response or it has no message. */
const healthText = (failure: unknown): string =>
  isUnreachable(failure) ? HEALTH_FAILED : messageOf(failure, HEALTH_FAILED);
const HEALTH_FAILED = 'API health check failed';

async function checkHealth(signal: AbortSignal): Promise<HealthCheck> {
  const startedMs = performance.now();
  measured.checks += 1;
  try {
    const { message } = await dataOf(api.GET('/api/health', { signal }));
    measured.answered += 1;
    return {
      status: 'online',
      message,
      responseTime: performance.now() - startedMs,
      uptime: measured.answered / measured.checks,
      checkCount: measured.checks,
    };
  } catch (failure) {
    if (signal.aborted) {
      measured.checks -= 1;
      throw failure;
    }
    const message = healthText(failure);
    return { status: 'offline', message, responseTime: null, uptime: 0, checkCount: measured.checks };
  }
}

/** State of the API, fetched every minute. A failed request is a state, not an error. */
export function useHealthCheck() {
  return useQuery({
    queryKey: queryKeys.apiDocs.health,
    queryFn: ({ signal }) => checkHealth(signal),
    refetchInterval: HEALTH_POLL_MS,
    retry: false,
  });
}
