import type { EndpointName } from './faults.ts';
import type { Query } from './wire.ts';

export interface LoggedRequest {
  atMs: number;
  venue: string;
  endpoint: EndpointName;
  path: string;
  query: Query;
  weight: number;
  status: number;
  fault?: string;
}

export interface RequestLog {
  add(request: LoggedRequest): void;
  all(): readonly LoggedRequest[];
  clear(): void;
}

/** The last requests; bounded, because a demo may run for weeks. */
export function createRequestLog(limit = 5000): RequestLog {
  let kept: LoggedRequest[] = [];
  return {
    add(request) {
      kept.push(request);
      if (kept.length > 2 * limit) kept = kept.slice(-limit);
    },
    all: () => kept,
    clear: () => (kept = []),
  };
}
