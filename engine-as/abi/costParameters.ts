import {
  IMPACT_COEFFICIENT,
  LEVERAGE_MAX,
  MAINTENANCE_MARGIN,
  SLIPPAGE,
  STOP_SLIPPAGE,
  TURNOVER_SHARE_MAX,
  venueFees,
} from './costs.ts';
import type { ruleSlot } from './records.ts';

/**
 * The numbers among the costs of a run, each declared once: its slot in the engine, default, bounds, unit, words and field of the form. The
 * types of costs, the wire schemas, the checks of tasks, the engine's records, the form, comparisons and exports follow from this list. A
 * new number needs an entry here, a slot in records.ts, its kernel and its hash (workers/src/tasks/hashes.ts). Not compiled to WASM.
 */
export interface CostParameter {
  /** Its slot in the rules of the engine. */
  slot: keyof typeof ruleSlot;
  unit: 'fraction' | 'USDT' | 'ratio' | 'coins';
  /** Value when the request leaves it out; absent: 0. */
  default?: number;
  /** Costs may lack it; 0 then. */
  isOptional?: true;
  /** Added after runs were stored: only new runs have the default. */
  isLater?: true;
  /** Bounds of a request. */
  sent: { min: number; max?: number };
  /** Bounds of the engine where they are not those of a request. */
  checked?: { min: number; max: number };
  /** Description in the API. */
  text?: string;
  /** Field of the form; absent: not among its plain fields. Bounds and step of a fraction are percent. */
  form?: {
    label: string;
    min: number;
    max: number;
    step: number;
    decimals: number;
    meaning: string;
    formula?: string;
    example?: string;
  };
}

const share = { min: 0, max: 0.1 } as const;
const checkedShare = { min: 0, max: 0.5 } as const;
const notNegative = { min: 0, max: 1e15 } as const;
const percents = { min: 0, max: 10, step: 0.01, decimals: 4 } as const;
const amounts = { min: 1, max: 1e9, step: 100, decimals: 2 } as const;

/** Fractions: 0.0005 is 0.05 %. */
export const costParameters = {
  /** Fee of a fill that takes liquidity, fraction of notional. */
  takerFeeFraction: {
    slot: 'takerFee',
    unit: 'fraction',
    default: venueFees.binance.takerFeeFraction,
    sent: share,
    checked: checkedShare,
    form: {
      ...percents,
      label: 'Taker fee',
      meaning: 'Paid on market fills: entries, stops and market targets. Percent of the notional.',
      formula: 'fee = notional x rate',
      example: '1,000 USDT at 0.05 % costs 0.50 USDT per fill.',
    },
  },
  /** Fee of a resting limit fill, fraction of notional; only with `takeProfitOrder: 'limit'`. A rebate is negative. */
  makerFeeFraction: {
    slot: 'makerFee',
    unit: 'fraction',
    default: venueFees.binance.makerFeeFraction,
    sent: { min: -0.1, max: 0.1 },
    checked: { min: -0.5, max: 0.5 },
    form: {
      ...percents,
      label: 'Maker fee',
      meaning: 'Paid on filled limit orders: here only limit targets.',
      formula: 'fee = notional x rate',
    },
  },
  /** Adverse price move of a market fill (entry, target as market order, forced close), fraction of price. */
  slippageFraction: {
    slot: 'slippage',
    unit: 'fraction',
    default: SLIPPAGE,
    sent: share,
    checked: checkedShare,
    form: {
      ...percents,
      label: 'Slippage',
      meaning: 'Market orders fill this much worse than the chart. Our assumption.',
      formula: 'long entry = open x (1 + slippage)',
      example: 'A long at 50,000 with 0.01 % is filled at 50,005.',
    },
  },
  /** Adverse price move of a stop fill, fraction of price. */
  stopSlippageFraction: {
    slot: 'stopSlippage',
    unit: 'fraction',
    default: STOP_SLIPPAGE,
    sent: share,
    checked: checkedShare,
    form: {
      ...percents,
      label: 'Stop slippage',
      meaning: 'Stops fill this much worse than their price. After a gap they fill at the open. Our assumption.',
    },
  },
  /** USDT; start of the equity curve. */
  initialEquity: {
    slot: 'initialEquity',
    unit: 'USDT',
    default: 1000,
    sent: { min: 1, max: 1e12 },
    checked: { min: 1, max: 1e15 },
    form: { ...amounts, label: 'Start equity', meaning: 'Your balance at the start of the test.' },
  },
  /** USDT of each position at entry. A strategy may size by risk or compound instead (docs/simulator.md, section 11). */
  notional: {
    slot: 'notional',
    unit: 'USDT',
    default: 1000,
    sent: { min: 1e-6, max: 1e12 },
    checked: { min: 1e-6, max: 1e15 },
    form: {
      ...amounts,
      label: 'Position size',
      meaning: 'Notional of each entry, without compounding. Cut to what the equity covers.',
    },
  },
  /** Isolated margin is notional / leverage. A liquidation loses it whole, the venue's fee included. */
  leverage: {
    slot: 'leverage',
    unit: 'ratio',
    default: 10,
    sent: { min: 1, max: LEVERAGE_MAX },
    checked: { min: 1, max: 1000 },
    form: {
      min: 1,
      max: LEVERAGE_MAX,
      step: 1,
      decimals: 0,
      label: 'Leverage',
      meaning: 'Sets margin and liquidation price. The size changes only when equity is short.',
      formula: 'margin = position size / leverage',
      example: '1,000 USDT at 10x needs a margin of 100 USDT.',
    },
  },
  maintenanceMarginFraction: {
    slot: 'maintenanceMargin',
    unit: 'fraction',
    default: MAINTENANCE_MARGIN,
    sent: share,
    checked: checkedShare,
    form: {
      ...percents,
      label: 'Maintenance margin',
      meaning: 'Below this share of the notional, the exchange liquidates. Our assumption: contracts and sizes differ.',
    },
  },
  /** Payment of longs at each assumed funding, fraction of notional. At the most an annual 1,000 % either way. */
  assumedFundingFraction: {
    slot: 'assumedFunding',
    unit: 'fraction',
    default: 0.0001,
    isOptional: true,
    sent: { min: -0.01, max: 0.01 },
    text: 'What longs pay at each assumed funding, a fraction of the notional.',
  },
  /** Price step of the contract; 0: not applied. */
  tickSize: { slot: 'tickSize', unit: 'USDT', isOptional: true, sent: { min: 0 }, checked: notNegative },
  /** Quantity step of the contract; 0: not applied. */
  stepSize: { slot: 'stepSize', unit: 'coins', isOptional: true, sent: { min: 0 }, checked: notNegative },
  /** Least notional of the contract; 0: not applied. */
  minNotional: { slot: 'minNotional', unit: 'USDT', isOptional: true, sent: { min: 0 }, checked: notNegative },
  /** Largest market order of the contract, base units; 0: no limit. */
  maxQuantity: {
    slot: 'maxQuantity',
    unit: 'coins',
    isOptional: true,
    sent: { min: 0 },
    checked: notNegative,
    text: 'Largest market order, base units; 0: no limit.',
  },
  /** Slippage by size: this many volatilities of a candle times the root of the share of its turnover; 0: none. */
  impactCoefficient: {
    slot: 'impactCoefficient',
    unit: 'ratio',
    default: IMPACT_COEFFICIENT,
    isOptional: true,
    isLater: true,
    sent: { min: 0, max: 100 },
    text: 'Slippage that the size of a fill adds: so many volatilities of a candle times the square root of its share of the turnover; 0: none.',
  },
  /** Largest part of the turnover of a candle that an entry takes; 0: no limit. */
  turnoverShareMax: {
    slot: 'turnoverShareMax',
    unit: 'fraction',
    default: TURNOVER_SHARE_MAX,
    isOptional: true,
    isLater: true,
    sent: { min: 0, max: 1 },
    text: 'Largest part of the turnover of a candle that an entry takes; 0: no limit.',
  },
} as const satisfies Record<string, CostParameter>;

type Rows = typeof costParameters;
export type CostName = keyof Rows;
/** The names of the rows that have a property. */
type NamesWith<Property extends object> = { [K in CostName]: Rows[K] extends Property ? K : never }[CostName];

export type OptionalCost = NamesWith<{ isOptional: true }>;
export type LaterCost = NamesWith<{ isLater: true }>;
/** Those that a request may leave out for a default, in stored runs too. */
export type DefaultCost = Exclude<NamesWith<{ default: number }>, LaterCost>;
/** Fields of the form: percent, and the others. */
export type FractionCost = NamesWith<{ form: object; unit: 'fraction' }>;
export type PlainCost = Exclude<NamesWith<{ form: object }>, FractionCost>;

/** The numbers among the costs of a run. */
export type CostNumbers = Record<Exclude<CostName, OptionalCost>, number> & Partial<Record<OptionalCost, number>>;

export type CostRow = CostParameter & { name: CostName };
/** The table in its order. */
export const costRows: readonly CostRow[] = Object.entries<CostParameter>(costParameters).map(([name, row]) => ({
  ...row,
  name: name as CostName,
}));

const defaultsOf = (later: boolean): object =>
  Object.fromEntries(
    costRows.flatMap(({ name, isLater = false, default: standard }) =>
      standard === undefined || isLater !== later ? [] : [[name, standard] as const],
    ),
  );

/** Defaults of every run. */
export const costDefaults = defaultsOf(false) as { readonly [K in DefaultCost]: Rows[K]['default'] };
/** Defaults of new runs only. */
export const laterCostDefaults = defaultsOf(true) as { readonly [K in LaterCost]: Rows[K]['default'] };
