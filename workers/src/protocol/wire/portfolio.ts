import { LEVERAGE_MAX } from '@sextant/engine-as/abi/costs.ts';
import { PORTFOLIO_SYMBOLS_MAX } from '@sextant/engine-as/abi/portfolio.ts';
import { z } from 'zod';
import { PORTFOLIO_SETS_MAX } from '../../core/limits.ts';
import { withoutUndefined } from '../../core/withoutUndefined.ts';
import type { PortfolioInput, PortfolioLimits, PortfolioResult, PortfolioSetsInput } from '../portfolio.ts';
import {
  PORTFOLIO_SAMPLES,
  PORTFOLIO_SEED_MAX,
  type PortfolioRangeName,
  portfolioRangeRules,
  portfolioTargets,
} from '../portfolioSearch.ts';
import { detailFromWire, rulesFromWire, runShape } from './backtest.ts';
import { candlesFromWire, columnToWire } from './candles.ts';
import { checkContext } from './checkContext.ts';
import { CostsWire, costsFromWire, RunCostsWire, TaskCostsWire } from './costs.ts';
import { honestyToWire } from './honesty.ts';
import { RuleValuesWire, SetStrategyWire, StrategyWire } from './strategy.ts';

/** The JSON form of a portfolio run: one strategy and one account over many symbols. */

const { funding, liquidationModel, tiers, tickSize, stepSize, minNotional, maxQuantity, rulesOf } = CostsWire.shape;
const { takerFeeFraction, makerFeeFraction } = RunCostsWire.shape;

/** What the contract of a symbol and its exchange decide; an absent value is that of `costs`. */
const SymbolCostsWire = z.strictObject({
  funding,
  liquidationModel,
  tiers,
  tickSize,
  stepSize,
  minNotional,
  maxQuantity,
  rulesOf,
  takerFeeFraction,
  makerFeeFraction,
  leverage: z.number().min(1).max(LEVERAGE_MAX).optional(),
});

const { candles, context, news, markPrices, fineCandles } = runShape;
const SymbolWire = z.strictObject({
  symbol: z.string().min(1).max(40),
  candles,
  context,
  news,
  markPrices,
  fineCandles,
  costs: SymbolCostsWire.prefault({}).meta({ description: 'Costs of this symbol, where they differ from `costs`.' }),
});

const count = (text: string) => z.int().min(0).max(1_000_000).default(0).meta({ description: text });
const percent = (text: string) => z.number().min(0).max(100).default(0).meta({ description: text });
const share = (text: string) => z.number().min(0).max(1e6).default(0).meta({ description: text });

export const PortfolioLimitsWire = z.strictObject({
  positionsMax: count('Positions open at a time; 0: no limit, here and below.'),
  openingsMax: count('Positions opened in one candle.'),
  dailyLossPct: percent('Guard: net loss closed since midnight UTC, percent of the initial equity.'),
  stopStreak: count('Guard: losing stops and liquidations in a row.'),
  cooldownMinutes: z.number().min(0).max(1e7).default(0).meta({ description: 'How long the stop streak holds.' }),
  drawdownPct: percent('Guard: fall of the closed equity from its peak, percent. Holds to the end of the run.'),
  grossMaxFraction: share('Long and short notional together, part of the balance: 2 is twice the balance.'),
  netMaxFraction: share('Difference of long and short notional, part of the balance.'),
  stopLossMaxFraction: share('Loss when every position meets its stop, part of the balance.'),
  skipsStopBeyondLiquidation: z
    .boolean()
    .default(true)
    .meta({ description: 'Skips an entry that would be liquidated before its stop.' }),
});

const AccountWire = z.strictObject({
  strategy: StrategyWire,
  symbols: z
    .array(SymbolWire)
    .min(1)
    .max(PORTFOLIO_SYMBOLS_MAX)
    .meta({ description: 'Each once, in any order; candles may start later or end earlier than those of others.' }),
  costs: TaskCostsWire.prefault({}),
  limits: PortfolioLimitsWire.prefault({}),
  from: z.number().optional().meta({
    description: 'Candles that open at or after this (epoch ms) may trade; all when absent.',
  }),
});
type AccountSent = z.output<typeof AccountWire>;

/** Every symbol has the series that the strategy reads. */
const checkContexts = ({ value, issues }: z.core.ParsePayload<AccountSent>): void => {
  for (const [k, symbol] of value.symbols.entries()) {
    const matches: z.core.$ZodRawIssue[] = [];
    checkContext({ value: { ...symbol, strategy: value.strategy }, issues: matches });
    for (const issue of matches) issues.push({ ...issue, path: ['symbols', k].concat(issue.path as never[]) });
  }
};

function rangeOf(name: PortfolioRangeName) {
  const { min, max, step } = portfolioRangeRules[name];
  const value = z
    .number()
    .min(min)
    .max(max)
    .refine((each) => Math.abs(each / step - Math.round(each / step)) < 1e-6, `must be a multiple of ${step}`);
  return z
    .strictObject({ min: value, max: value })
    .refine((range) => range.min <= range.max, { path: ['max'], error: 'must not be less than min' })
    .exactOptional();
}

/** A search over sets of one account. Rules: docs/portfolio.md, section 7. */
export const PortfolioSearchWire = z.strictObject({
  ranges: z
    .strictObject({
      entryThreshold: rangeOf('entryThreshold'),
      stopFactor: rangeOf('stopFactor'),
      targetFactor: rangeOf('targetFactor'),
      positionsMax: rangeOf('positionsMax'),
      openingsMax: rangeOf('openingsMax'),
    })
    .prefault({})
    .meta({
      description:
        'Values that sets are drawn from; absent ones stay. A factor multiplies the stop or target of the strategy. Own rules have their other ranges in their text: fast = 12 [5..50 step 1].',
    }),
  samples: z
    .int()
    .min(PORTFOLIO_SAMPLES.min)
    .max(PORTFOLIO_SAMPLES.max)
    .default(PORTFOLIO_SAMPLES.default)
    .meta({ description: 'Sets in all, yours among them.' }),
  seed: z.int().min(0).max(PORTFOLIO_SEED_MAX).default(1),
  target: z.enum(portfolioTargets).default('pnl'),
});

const JudgedAccountWire = AccountWire.extend({
  judge: z
    .strictObject({ seed: z.int().min(0).default(1), earlierTrialCount: z.int().min(0).max(1e12).default(0) })
    .nullable()
    .prefault({})
    .meta({ description: 'How much of the result is luck, among so many sets tried before; null: not judged.' }),
});

export const PortfolioRequestWire = JudgedAccountWire.check(checkContexts);

/** What the task command takes. */
export const PortfolioCommandWire = JudgedAccountWire.extend({
  search: PortfolioSearchWire.optional().meta({ description: 'Searches sets of the account instead of one run.' }),
}).check(checkContexts);

/** Absent limits are those of the account, not their defaults. */
const SetLimitsWire = z.strictObject(
  Object.fromEntries(
    Object.entries(PortfolioLimitsWire.shape).map(([name, field]) => [name, field.unwrap().exactOptional()]),
  ),
) as unknown as z.ZodType<PortfolioLimits, PortfolioLimits>;

export const PortfolioSetsRequestWire = AccountWire.extend({
  sets: z
    .array(
      z.strictObject({
        strategy: SetStrategyWire.exactOptional(),
        values: RuleValuesWire.exactOptional(),
        limits: SetLimitsWire.exactOptional(),
      }),
    )
    .min(1)
    .max(PORTFOLIO_SETS_MAX)
    .meta({ description: 'What each set has in place of the threshold, exits and limits above.' }),
}).check(checkContexts);

export function portfolioFromWire(wire: z.output<typeof PortfolioRequestWire>): PortfolioInput {
  const { judge } = wire;
  return { ...accountFromWire(wire), ...(judge === null ? {} : { judge }) };
}

export const portfolioSetsFromWire = (wire: z.output<typeof PortfolioSetsRequestWire>): PortfolioSetsInput => ({
  ...accountFromWire(wire),
  sets: wire.sets,
});

function accountFromWire({ strategy, symbols, costs, limits, from }: AccountSent): Omit<PortfolioInput, 'judge'> {
  return {
    strategy,
    symbols: symbols.map(({ symbol, ...sent }) => ({
      ...rulesFromWire({ ...sent, strategy }),
      ...detailFromWire(sent),
      context: (sent.context ?? []).map(candlesFromWire),
      symbol,
      candles: candlesFromWire(sent.candles),
      costs: costsFromWire({ ...costs, ...withoutUndefined(sent.costs) }),
    })),
    limits,
    ...(from === undefined ? {} : { fromMs: from }),
  };
}

export function portfolioToWire(result: PortfolioResult): object {
  const { time, equity, drawdown, longNotional, shortNotional, margin, openCount, correlation, honesty } = result;
  const { symbols, values, mean } = correlation;
  const rows = symbols.map((_, k) => columnToWire(values.subarray(k * symbols.length, (k + 1) * symbols.length)));
  return {
    ...result,
    time: Array.from(time),
    equity: Array.from(equity),
    drawdown: Array.from(drawdown),
    longNotional: Array.from(longNotional),
    shortNotional: Array.from(shortNotional),
    margin: Array.from(margin),
    openCount: Array.from(openCount),
    correlation: { symbols, values: rows, mean },
    honesty: honesty === null ? null : honestyToWire(honesty),
  };
}
