import type { SkipDetail, SkipReason } from './contract.ts';

/** Sentences the specification has word by word (AUTO-009 to AUTO-011, AUTO-037). */

const percentOf = (multiplier: number): number => Math.round(multiplier * 100);

export function openedMessage(side: string, symbol: string, riskMultiplier: number): string {
  const percent = percentOf(riskMultiplier);
  return `Auto position opened: ${side} ${symbol}${percent === 100 ? '' : ` (Risk-adjusted: ${percent}%)`}`;
}

export const openFailedMessage = (failed: number, tried: number): string => `Auto open failed for ${failed}/${tried}`;

/** After a chart analysis that opened nothing. */
export const NOTHING_OPENED_BY_ANALYSIS = 'AI detected patterns. No position opened.';
export const ANALYSIS_OPEN_FAILED = 'Auto position failed';

const reasons: Record<SkipReason, string> = {
  NEUTRAL: 'The signal has no direction.',
  LOW_CONF: 'The confidence is below your minimum.',
  ZERO_QTY: 'The quantity is too small to trade.',
  NO_MATCH: 'Nothing matched your filters.',
};

const details: Partial<Record<SkipDetail, string>> = {
  tuning_floor: 'The confidence is below the floor of your tuning.',
  min_notional: 'The position is smaller than the exchange takes.',
  no_levels: 'The signal has no stop or target.',
  price_moved: 'The price is more than 5 % away from the signal.',
  level_passed: 'The price has passed the stop or the target already.',
  liquidation_before_stop: 'It would be liquidated before its stop. Lower the leverage.',
  ai_unchecked: 'No AI check was made of this result.',
  ai_offline: 'The AI check gave no verdict.',
  ai_not_approved: 'AI: not approved',
  blacklisted: 'The symbol is on your blacklist.',
  not_whitelisted: 'The symbol is not on your whitelist.',
  same_symbol: 'The symbol is opened once, on its best interval.',
  positions_wanted: 'As many results as you want were chosen already.',
  duplicate: 'A position of this symbol and side is open.',
  max_concurrent: 'As many positions as you allow are open.',
  daily_loss_guard: 'The daily loss guard holds until midnight UTC.',
  stop_streak_guard: 'The stop streak guard is cooling down.',
  drawdown_guard: 'The drawdown guard holds until you go on.',
  auto_open_off: 'Automatic opening is off.',
  not_traded: 'The symbol is not traded now.',
  too_large: 'The position is larger than 10 billion USDT: no market fills it.',
};

export const skipMessage = (reason: SkipReason, detail: SkipDetail | null): string =>
  (detail === null ? undefined : details[detail]) ?? reasons[reason];
