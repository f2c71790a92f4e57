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
  let retained: LoggedRequest[] = [];
  return {
    add(request) {
      retained.push(request);
      if (retained.length > 2 * limit) retained = retained.slice(-limit);
    },
    all: () => retained,
    clear: () => (retained = []),
  };
}
