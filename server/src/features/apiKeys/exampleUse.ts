import { SANDBOX_MS } from '@sextant/workers/src/core/apiAccess.ts';
import type { z } from 'zod';
import type { ApiLogsResponse, ApiUsageResponse } from './contract.ts';

const HOUR_MS = 3_600_000;
const keyId = '00000000-0000-4000-8000-000000000002';

interface Made {
  /** Minutes before the clock of the sandbox. */
  ago: number;
  method: 'GET' | 'POST';
  path: string;
  status: number;
  ms: number;
  credits?: number;
}

const made: readonly Made[] = [
  { ago: 1, method: 'POST', path: '/api/futures-signal', status: 200, ms: 1.8 },
  { ago: 1, method: 'GET', path: '/api/klines', status: 200, ms: 1.2 },
  { ago: 14, method: 'GET', path: '/api/klines', status: 404, ms: 0.9 },
  { ago: 31, method: 'POST', path: '/api/arbitrage-scan', status: 200, ms: 412.5, credits: 1 },
  { ago: 65, method: 'GET', path: '/api/price', status: 429, ms: 0.4 },
];

/** Latest calls of the sandbox account: one for each kind of response. */
export const exampleLogs: z.input<typeof ApiLogsResponse> = {
  items: made.map(({ ago, method, path, status, ms, credits = 0 }, at) => ({
    created_at: new Date(SANDBOX_MS - ago * 60_000).toISOString(),
    request_id: `00000000-0000-4000-8000-00000000010${at}`,
    method,
    path,
    route: path,
    status,
    success: status < 400,
    duration_ms: ms,
    ip: '203.0.113.7',
    credits,
    key_id: keyId,
    key_name: 'CI',
    mode: 'test',
  })),
};

/** Calls of each hour of a day, latest last: quiet at night, busy at noon. */
const totals = [0, 0, 0, 0, 0, 2, 5, 9, 14, 20, 24, 26, 27, 26, 24, 20, 14, 9, 6, 4, 2, 1, 1, 3, 5];
/** Two calls are rejected in each hour with more than 20. */
const rejectedOf = (total: number): number => (total > 20 ? 2 : 0);

/** Usage of the sandbox account. */
export function exampleUsage(): z.input<typeof ApiUsageResponse> {
  const lastHourMs = Math.floor(SANDBOX_MS / HOUR_MS) * HOUR_MS;
  const items = totals.map((total, hour) => ({
    at: new Date(lastHourMs - (totals.length - 1 - hour) * HOUR_MS).toISOString(),
    total,
    ok: total - rejectedOf(total),
  }));
  const total = items.reduce((sum, each) => sum + each.total, 0);
  const success = items.reduce((sum, each) => sum + each.ok, 0);
  const klines = Math.round(total * 0.6);
  return {
    total,
    success,
    not_listed: 0,
    success_rate: success / total,
    credits: 3,
    avg_ms: 6.4,
    p50_ms: 1.6,
    p95_ms: 9.8,
    p99_ms: 212.5,
    items,
    routes: [
      { route: '/api/klines', total: klines },
      { route: '/api/futures-signal', total: total - klines - 3 },
      { route: '/api/arbitrage-scan', total: 3 },
    ],
  };
}
