import { formatCount } from '../../../format/number.ts';
import type { Run } from '../backtestState.ts';
import { runBodyOf } from '../verify.ts';
import { PREFIX, VERSION } from './shareLink.ts';

/** Candles the public route runs on. */
const LIMIT_MAX = 5000;

/** Why a run has no link; null when it has one. */
export function whyNotShared({ loaded }: Run): string | null {
  if (loaded.source === 'csv') return 'Your own candles stay in this browser, so others could not repeat this run.';
  if (loaded.candles.time.length > LIMIT_MAX)
    return `A shared run holds at most ${formatCount(LIMIT_MAX)} candles: choose a shorter history.`;
  if (loaded.exchange !== 'binance') return 'Only runs on candles of Binance are shared.';
  return null;
}

/**
 * The link is a fragment of `/`: browsers keep it to themselves, so what is shared stands in no server's log, and the path is
 * the one path there is.
 */
export function shareLinkOf(run: Run, origin: string): string {
  const { symbol, exchange, interval, limit, endTime, scored, params, costs } = runBodyOf(run);
  const shared = {
    v: VERSION,
    body: { symbol, exchange, interval, limit, endTime, scored, params, costs },
    hashes: run.result.hashes,
  };
  return `${origin}/${PREFIX}${toBase64Url(JSON.stringify(shared))}`;
}

const toBase64Url = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
