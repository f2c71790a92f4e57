import type { Config } from '../../config.ts';

/**
 * The market that stored candles belong to. A simulated market with a start shows its history shifted to the time of its launch, so only
 * one with the same address has the same candles.
 */
export function historySourceOf({
  market,
  marketReplayDir,
  exchangesUrl,
  history: { seed, start },
}: Pick<Config, 'market' | 'marketReplayDir' | 'exchangesUrl' | 'history'>): string {
  if (market === 'live') return 'live';
  if (market === 'replay') return `replay ${marketReplayDir ?? ''}`.slice(0, 300);
  const world = `simulated ${seed ?? 'default'}`;
  return start === undefined ? world : `${world} ${start} ${exchangesUrl ?? ''}`.slice(0, 300);
}
