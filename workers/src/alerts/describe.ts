import { type AlertCondition, type AlertKind, type Comparison, type ConditionOf } from './conditions.ts';

/** Texts of alerts, for messages outside the page and the page itself. */

/** Full digits without rounding noise: `64,000`, `0.0000025905`. */
export const numberText = (value: number): string =>
  Number(value.toPrecision(12)).toLocaleString('en-US', { maximumFractionDigits: 20 });
const pctText = (value: number): string =>
  `${value.toLocaleString('en-US', { minimumFractionDigits: 0, maximumFractionDigits: 4 })} %`;

const whenText: Record<Comparison, string> = { cross: 'crosses', above: 'is at or above', below: 'is at or below' };
const minutesText = (minutes: number): string => (minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`);
const changeText = { up: 'rises by', down: 'falls by', either: 'moves by' } as const;

const texts: { [K in AlertKind]: (condition: ConditionOf<K>, strategy: string) => string } = {
  price: ({ symbol, when, level }) => `${symbol} ${whenText[when]} ${numberText(level)}`,
  change: ({ symbol, direction, pct, minutes }) =>
    `${symbol} ${changeText[direction]} ${pctText(pct)} in ${minutesText(minutes)}`,
  indicator: ({ symbol, interval, indicator, params, output, when, level }) => {
    const values = Object.values(params).join(', ');
    const name = `${indicator.toUpperCase()}${values === '' ? '' : `(${values})`}`;
    const part = output === 'value' || output === indicator ? '' : ` ${output}`;
    return `${symbol} ${interval} ${name}${part} ${whenText[when]} ${numberText(level)}`;
  },
  signal: ({ symbol, interval, direction, strategy_id: id }, strategy) =>
    `${direction === 'any' ? 'A' : `A ${direction}`} signal ${id === null ? '' : `of ${strategy} `}for ${symbol} ${interval}`,
  spread: ({ symbol, buy, sell, net_pct: net }) =>
    `Net spread of ${symbol}, buy ${buy}, sell ${sell}, is at or above ${pctText(net)}`,
  funding: ({ symbol, when, rate_pct: rate }) => `Funding rate of ${symbol} ${whenText[when]} ${pctText(rate)}`,
  liquidation: ({ distance_pct: distance }) => `Liquidation is at most ${pctText(distance)} away`,
  news: ({ symbol, high_impact: isHigh }) => `${isHigh ? 'High-impact news' : 'News'} about ${symbol}`,
  formula: ({ symbol, interval, expression }) => `${symbol} ${interval}: ${expression}`,
};

/**
 * The condition in one line: `BTCUSDT crosses 70,000`.
 * @param strategy name of the saved rules whose signal it is
 */
export function conditionText<K extends AlertKind>(condition: ConditionOf<K>, strategy = 'your strategy'): string {
  const text = texts[condition.kind] as (condition: ConditionOf<K>, strategy: string) => string;
  return text(condition, strategy);
}

const valueTexts: { [K in AlertKind]: (value: number) => string | null } = {
  price: numberText,
  change: pctText,
  indicator: (value) => numberText(Number(value.toPrecision(8))),
  signal: () => null,
  spread: pctText,
  funding: pctText,
  liquidation: pctText,
  news: () => null,
  formula: () => null,
};

/** A value of the condition with its unit; null where there is no number to show. */
export const valueText = (condition: AlertCondition, value: number): string | null => valueTexts[condition.kind](value);

/** The symbol of a condition; null for a position, which names it itself. */
export const symbolOf = (condition: AlertCondition): string | null =>
  condition.kind === 'liquidation' ? null : condition.symbol;
