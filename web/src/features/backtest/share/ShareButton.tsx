import { Link2 } from 'lucide-react';
import { formatCount } from '../../../format/number.ts';
import { toast } from '../../../state/toasts.ts';
import { type Run, useSettling } from '../backtestState.ts';
import { runBodyOf } from '../verify.ts';
import { SHARE_PREFIX } from '../../../state/shareAddress.ts';
import { VERSION } from './shareLink.ts';

/** Candles the public route runs on. */
const LIMIT_MAX = 5000;

/** Why a run has no link; null when it has one. */
export function whyNotShared({ loaded }: Run): string | null {
  if (loaded.source === 'csv') return 'Your own candles stay in this browser, so others could not repeat this run.';
  const { scoredFromMs } = loaded;
  if (loaded.candles.time.length > LIMIT_MAX)
    return scoredFromMs === undefined
      ? `A shared run holds at most ${formatCount(LIMIT_MAX)} candles: choose a shorter history.`
      : `Too long to share: ${formatCount(LIMIT_MAX)} candles at most, lead-in included. Choose fewer days.`;
  if (loaded.exchange !== 'binance') return 'Only runs on candles of Binance are shared.';
  return null;
}

/**
 * The link is a fragment of `/`: browsers keep it to themselves, so what is shared stands in no server's log, and the path is
 * the one path there is.
 */
export function shareLinkOf(run: Run, origin: string): string {
  const { symbol, exchange, interval, limit, endTime, scored, params, strategy, costs, fineData } = runBodyOf(run);
  const rules = strategy === undefined ? { params } : { params, strategy };
  const shared = {
    v: VERSION,
    body: { symbol, exchange, interval, limit, endTime, scored, ...rules, costs, ...(fineData ? { fineData } : {}) },
    hashes: run.result.hashes,
  };
  return `${origin}/${SHARE_PREFIX}${toBase64Url(JSON.stringify(shared))}`;
}

const toBase64Url = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Copies a link that holds parameters or rules, the window and hashes; opening it repeats the run and compares the hashes. */
export function ShareButton({ run }: { run: Run }) {
  const isSettling = useSettling() > 0;
  const reason = isSettling ? 'Minutes of this run are on their way. Try again in a moment.' : whyNotShared(run);
  const copy = async () => {
    if (reason !== null) {
      toast(reason);
      return;
    }
    const link = shareLinkOf(run, location.origin);
    try {
      await navigator.clipboard.writeText(link);
      const held = run.strategy === undefined ? 'parameters' : 'rules';
      toast(`Link copied. It holds the ${held} and the hashes, and is checked when it is opened`, 'success');
    } catch {
      // A page that was not loaded over https has no clipboard.
      window.prompt('Copy this link', link);
    }
  };
  return (
    <button
      type="button"
      className="btn btn-small"
      // Not disabled: a finger and a keyboard get the reason too.
      title={reason ?? 'Copy a link to this run'}
      onClick={() => void copy()}
    >
      <Link2 size={14} aria-hidden="true" /> Share
    </button>
  );
}
