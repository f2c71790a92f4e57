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
  'largest_order',
] as const;
export type SkipDetail = (typeof skipDetails)[number];

/** The number that failed a rule, and the rule's limit. */
export interface SkipNumbers {
  value: number;
  limit: number;
}

const reasons: Record<SkipReason, string> = {
  NEUTRAL: 'The signal has no direction.',
  LOW_CONF: 'Confidence is below your minimum.',
  ZERO_QTY: 'Quantity is too small to trade.',
  NO_MATCH: 'Nothing matched your filters.',
};

const slotsText = (limit: number | string): string => `Limit reached (${limit}). Close one or raise the limit.`;

const details: Partial<Record<SkipDetail, string>> = {
  tuning_floor: 'Confidence is below your tuning floor.',
  min_notional: "Below the exchange's minimum order.",
  min_above_risk: "The exchange's minimum order exceeds your risk per trade.",
  margin_full: 'All equity is used as margin. Close a position.',
  no_levels: 'Stop or target missing. Enter one, or set percents under Account, Trading.',
  price_moved: 'Price moved more than 5 % from the signal.',
  level_passed: 'Price already passed the stop or target.',
  liquidation_before_stop: 'Liquidation comes before the stop. Lower the leverage.',
  ai_unchecked: 'Unchecked result.',
  ai_offline: 'AI check unavailable.',
  ai_not_approved: 'AI: not approved',
  rule_check_not_passed: 'Rule check: not passed',
  blacklisted: 'On your blacklist.',
  not_whitelisted: 'Not on your whitelist.',
  same_symbol: 'Duplicate symbol: its best interval is used.',
  positions_wanted: 'Position limit reached',
  duplicate: 'You already hold this symbol and side.',
  max_concurrent: 'Limit reached. Close one or raise the limit.',
  daily_loss_guard: 'Daily loss guard: new trades stop until midnight UTC.',
  stop_streak_guard: 'Stop streak guard: cooling down.',
  drawdown_guard: 'Drawdown guard: new trades stop until you resume.',
  auto_open_off: 'Automatic opening is off.',
  not_traded: 'The symbol is not trading now.',
  too_large: 'Keep positions below 10 billion USDT.',
  largest_order: 'Above the largest order of the exchange.',
};

/** The same with the number that failed the rule, where there is one. */
const withNumbers: Partial<Record<SkipDetail, (value: string, limit: string) => string>> = {
  min_confidence: (value, limit) => `Confidence ${value} % is below your minimum of ${limit} %.`,
  tuning_floor: (value, limit) => `Confidence ${value} % is below your tuning floor of ${limit} %.`,
  quantity: (value, limit) => `Quantity ${value} is below the step of ${limit}.`,
  min_notional: (value, limit) => `Position of ${value} USDT is below the exchange minimum of ${limit} USDT.`,
  min_above_risk: (value, limit) =>
    `The exchange's minimum order risks ${value} USDT, above your ${limit} USDT per trade.`,
  margin_full: (value, limit) => `Needs ${limit} USDT of margin and fee; ${value} USDT is free.`,
  largest_order: (value, limit) => `Quantity ${value} is above the exchange's largest order of ${limit}.`,
  price_moved: (value, limit) => `Price moved ${value} % from the signal, above ${limit} %.`,
  liquidation_before_stop: (value, limit) =>
    `Liquidation at ${value} comes before the stop at ${limit}. Lower the leverage.`,
  max_concurrent: (_open, limit) => slotsText(limit),
  daily_loss_guard: (value, limit) =>
    `Daily loss ${value} % reached your ${limit} %. New trades stop until midnight UTC.`,
  stop_streak_guard: (value, limit) => `${value} losing stops in a row (limit ${limit}): cooling down.`,
  drawdown_guard: (value, limit) => `Drawdown ${value} % reached your ${limit} %. New trades stop until you resume.`,
};

/** Prices and sizes are shown in full. */
const exact: ReadonlySet<SkipDetail> = new Set(['liquidation_before_stop', 'quantity', 'largest_order']);

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
