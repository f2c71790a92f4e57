import type { Config } from '../../config.ts';

/** Sources of replays start with it. */
export const REPLAY_SOURCE = 'replay ';

/**
 * The market that stored candles belong to. A replay is moved to end at its start, so a later start may be another world. A simulated market with a start shows its history shifted to the time of its launch, so only
 * one with the same address has the same candles.
 */
export function historySourceOf({
  market,
  marketReplayDir,
  exchangesUrl,
  history: { seed, start, replayWorld },
}: Pick<Config, 'market' | 'marketReplayDir' | 'exchangesUrl' | 'history'>): string {
  if (market === 'live') return 'live';
  if (market === 'replay')
    return `${REPLAY_SOURCE}${replayWorld ?? exchangesUrl ?? ''} ${marketReplayDir ?? ''}`.slice(0, 300);
  const world = `simulated ${seed ?? 'default'}`;
  return start === undefined ? world : `${world} ${start} ${exchangesUrl ?? ''}`.slice(0, 300);
}
