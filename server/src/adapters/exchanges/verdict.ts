import type { Clock } from './clock.ts';
import type { Guard } from './guard.ts';
import type { HttpAnswer } from './httpClient.ts';
import type { VenueRules } from './rules.ts';
import { regionRefusal, UpstreamError } from './upstreamError.ts';

const longestBanMs = 3 * 86_400_000;
/** A region refusal does not pass by itself; asking on would only look like an attempt to get around it. */
const regionQuietMs = 600_000;

/** Good answers pass, everything else becomes the typed failure it is; a request to slow down starts a ban. @throws UpstreamError */
export function checkAnswer(
  rules: VenueRules,
  guard: Guard,
  clock: Pick<Clock, 'now'>,
  answer: HttpAnswer,
  url: URL,
): void {
  const { status, headers, body } = answer;
  if (isRegionBlock(answer)) {
    guard.ban(clock.now() + regionQuietMs, 'region');
    throw regionRefusal(rules.name, regionQuietMs);
  }
  const verdict = rules.judge(status, body, url.pathname, url.searchParams);
  if (status === 429 || status === 418 || status === 403 || verdict.kind === 'rateLimited') {
    const quietMs = retryAfterMs(headers, clock.now()) ?? bannedForMs(answer, clock.now()) ?? rules.quietMs(status);
    guard.ban(clock.now() + quietMs);
    throw new UpstreamError('rateLimited', `${rules.name} asked us to slow down (HTTP ${status}).`, quietMs);
  }
  switch (verdict.kind) {
    case 'good':
      return;
    case 'symbolUnknown':
      throw new UpstreamError('symbolUnknown', `${rules.name} does not trade this symbol.`);
    case 'refused':
      throw new UpstreamError('refused', `${rules.name} refused the question: ${verdict.detail}.`);
    case 'broken':
      throw new UpstreamError('unavailable', `${rules.name} did not answer correctly (${verdict.detail}).`);
  }
}

/**
 * How exchanges refuse a country: Binance with 451 and a message, Bybit's CloudFront with 403 and a page (both seen in public reports of
 * 2026), Bybit itself with 10024, "Compliance rules triggered" (ccxt 4.5.84, `exceptions` in js/src/bybit.js). A 403 without such words is a request to slow down.
 */
const regionWords = /block access from your country|restricted (location|region|jurisdiction)/i;
const bybitCompliance = 10024;

function isRegionBlock({ status, body, bytes }: HttpAnswer): boolean {
  if (status === 451) return true;
  if (typeof body === 'object' && body !== null && 'retCode' in body && body.retCode === bybitCompliance) return true;
  return status === 403 && regionWords.test(bytes.subarray(0, explanationBytesMax).toString('utf8'));
}

const explanationBytesMax = 4096;

/** Binance names the end of a ban in the message alone: `IP(1.2.3.4) banned until 1774784983833.` in epoch ms. */
function bannedForMs({ body }: HttpAnswer, nowMs: number): number | undefined {
  const message = typeof body === 'object' && body !== null && 'msg' in body ? String(body.msg) : '';
  const until = /banned until (\d{13})\b/.exec(message)?.[1];
  if (until === undefined) return undefined;
  return Math.min(longestBanMs, Math.max(1000, Number(until) - nowMs));
}

/** Retry-After as seconds or as a date; between one second and three days, the longest ban that is documented. */
export function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const value = headers.get('retry-after');
  if (value === null || value.trim() === '') return undefined;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isFinite(ms) ? Math.min(longestBanMs, Math.max(1000, ms)) : undefined;
}
