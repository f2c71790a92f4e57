import { type ResultLine, rounded } from '../results.ts';
import { percentilesOf } from './openLoop.ts';

/** Response time of warm signals and market data that the public pages promise. */
export const RESPONSE_MAX_MS = 150;

/** The p95 of a load in the suite `api`; above the promise a mismatch follows, which ends the run with exit code 1. */
export function judgeResponseTime(name: string, latenciesMs: readonly number[]): ResultLine[] {
  const { p95 } = percentilesOf(latenciesMs);
  const figure: ResultLine = { suite: 'api', case: `${name} p95`, figure: rounded(p95), unit: 'ms' };
  if (p95 <= RESPONSE_MAX_MS) return [figure];
  const mismatch = `p95 is ${p95.toFixed(1)} ms, the promise is ${RESPONSE_MAX_MS} ms`;
  return [figure, { suite: 'api', case: `${name} p95`, mismatch }];
}
