import { DUPLICATE, slotsText } from './signalVerdict.ts';

/** Why a signal was not opened: reasons of the specification, their details, and the message of each. */
export const skipReasons = ['NEUTRAL', 'LOW_CONF', 'ZERO_QTY', 'NO_MATCH'] as const;
export type SkipReason = (typeof skipReasons)[number];

/** Details of the four skip reasons of the specification. */
export const skipDetails = [
  'min_confidence',
  'tuning_floor',
  'quantity',
  'min_notional',
  'min_above_risk',
  'margin_full',
  'no_levels',
  'price_moved',
  'level_passed',
  'liquidation_before_stop',
  'ai_unchecked',
  'ai_offline',
  'ai_not_approved',
  'rule_check_not_passed',
  'blacklisted',
  'not_whitelisted',
  'same_symbol',
  'positions_wanted',
  'duplicate',
  'max_concurrent',
  'daily_loss_guard',
  'stop_streak_guard',
  'drawdown_guard',
  'auto_open_off',
  'not_traded',
  'too_large',
] as const;
export type SkipDetail = (typeof skipDetails)[number];

/** The number that failed a rule, and the rule's limit. */
export interface SkipNumbers {
  value: number;
  limit: number;
}

const reasons: Record<SkipReason, string> = {
  NEUTRAL: 'The signal has no direction.',
  LOW_CONF: 'The confidence is below your minimum.',
  ZERO_QTY: 'The quantity is too small to trade.',
  NO_MATCH: 'Nothing matched your filters.',
};

const details: Partial<Record<SkipDetail, string>> = {
  tuning_floor: 'The confidence is below the floor of your tuning.',
  min_notional: 'The position is smaller than the exchange takes.',
  min_above_risk: "The exchange's smallest position would lose more at its stop than the risk you set.",
  margin_full: 'Your equity is the margin of open positions.',
  no_levels: 'There is no stop or target. Name one, or set your own percent under Account, Trading.',
  price_moved: 'The price is more than 5 % away from the signal.',
  level_passed: 'The price has passed the stop or the target already.',
  liquidation_before_stop: 'It would be liquidated before its stop. Lower the leverage.',
  ai_unchecked: 'This result was not checked.',
  ai_offline: 'The AI check gave no verdict.',
  ai_not_approved: 'AI: not approved',
  rule_check_not_passed: 'Rule check: not passed',
  blacklisted: 'The symbol is on your blacklist.',
  not_whitelisted: 'The symbol is not on your whitelist.',
  same_symbol: 'The symbol is opened once, on its best interval.',
  positions_wanted: 'Position limit reached',
  duplicate: DUPLICATE,
  max_concurrent: 'As many positions as you allow are open.',
  daily_loss_guard: 'The daily loss guard holds until midnight UTC.',
  stop_streak_guard: 'The stop streak guard is cooling down.',
  drawdown_guard: 'The drawdown guard holds until you go on.',
  auto_open_off: 'Automatic opening is off.',
  not_traded: 'The symbol is not traded now.',
  too_large: 'The position is larger than 10 billion USDT: no market fills it.',
};

/** The same with the number that failed the rule, where there is one. */
const withNumbers: Partial<Record<SkipDetail, (value: string, limit: string) => string>> = {
  min_confidence: (value, limit) => `Confidence ${value} % is below your ${limit} %.`,
  tuning_floor: (value, limit) => `Confidence ${value} % is below the ${limit} % floor of your tuning.`,
  quantity: (value, limit) => `A quantity of ${value} is less than the step of ${limit}.`,
  min_notional: (value, limit) => `A position of ${value} USDT is smaller than the ${limit} USDT the exchange takes.`,
  min_above_risk: (value, limit) =>
    `The exchange's smallest position would lose ${value} USDT at its stop, more than the ${limit} USDT you risk per trade.`,
  margin_full: (value, limit) =>
    `The smallest position needs a margin of ${limit} USDT with its fee, and ${value} USDT of your equity is free.`,
  price_moved: (value, limit) => `The price is ${value} % away from the signal, more than ${limit} %.`,
  liquidation_before_stop: (value, limit) =>
    `It would be liquidated at ${value}, before its stop at ${limit}. Lower the leverage.`,
  max_concurrent: slotsText,
  daily_loss_guard: (value, limit) => `Today's loss of ${value} % has reached your ${limit} %: until midnight UTC.`,
  stop_streak_guard: (value, limit) => `${value} losing stops in a row, your limit is ${limit}: cooling down.`,
  drawdown_guard: (value, limit) => `The drawdown of ${value} % has reached your ${limit} %: until you go on.`,
};

/** Prices and sizes are shown in full. */
const exact: ReadonlySet<SkipDetail> = new Set(['liquidation_before_stop', 'quantity']);

/** Few digits, but enough to distinguish the two: 69.996 is not "70, below your 70". */
function inWords({ value, limit }: SkipNumbers, detail: SkipDetail): [string, string] {
  const [first, ...more] = exact.has(detail) ? [12] : [3, 4, 6, 9];
  const shown = (digits = 12): [string, string] => [plain(value, digits), plain(limit, digits)];
  const apart = [first, ...more].find((digits) => shown(digits)[0] !== shown(digits)[1]);
  return shown(apart ?? first);
}

const formats = new Map<number, Intl.NumberFormat>();

function plain(value: number, digits: number): string {
  const known = formats.get(digits);
  const format = known ?? new Intl.NumberFormat('en-US', { maximumSignificantDigits: digits, useGrouping: false });
  if (known === undefined) formats.set(digits, format);
  return format.format(value);
}

export function skipMessage(reason: SkipReason, detail: SkipDetail | null, numbers: SkipNumbers | null = null): string {
  if (detail === null) return reasons[reason];
  const sentence = withNumbers[detail];
  if (sentence !== undefined && numbers !== null) return sentence(...inWords(numbers, detail));
  return details[detail] ?? reasons[reason];
}
