import { standardSizing } from '@sextant/workers/src/signals/signalRules.ts';
import { SAMPLES_MAX, SAMPLES_MIN, searchDefaults } from '@sextant/workers/src/protocol/wire/defaults.ts';
import { chance } from '@sextant/workers/src/tasks/honesty/figure.ts';
import { RULES_TEXT_MAX } from '@sextant/workers/src/rules/compileRules.ts';
import { TRADES_MIN } from '@sextant/engine-as/abi/optimize.ts';
import { PORTFOLIO_SYMBOLS_MAX } from '@sextant/engine-as/abi/portfolio.ts';
import { PortfolioSearchWire } from '@sextant/workers/src/protocol/wire/portfolio.ts';
import { OptimizeTargetWire } from '@sextant/workers/src/protocol/wire/optimize.ts';
import { z } from 'zod';
import { RunPortfolioBody } from '../backtest/portfolio/contract.ts';
import { RunBacktestBody } from '../backtest/runContract.ts';
import { ExchangeName, IntervalName } from '../market/contract.ts';
import { IndicatorsBody } from '../market/indicatorContract.ts';
import { CheckRulesBody } from '../rules/contract.ts';
import { Balance, Leverage, RiskTolerance } from '../signals/contract.ts';
import {
  accountWords,
  chanceWords,
  type JudgedRun,
  type Luck,
  type Optimised,
  portfolioData,
  type PortfolioRun,
  portfolioWords,
  proofOf,
  resultWords,
  type SearchedPortfolio,
  shortened,
  type SignalSaid,
  tried,
  verdictWords,
} from './results.ts';

/** A call of the API that a tool makes with the caller's key. */
export interface InnerCall {
  method: 'GET' | 'POST';
  /** With its query. */
  path: string;
  body?: object;
}

/** Text of a tool result: an optional sentence, then JSON. */
export interface ToolResponse {
  words?: string;
  data: unknown;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  callOf: (input: never) => InnerCall;
  responseOf: (data: never, input: never) => ToolResponse;
}

/** Ties the types of input and response together; the list of tools erases them. */
const tool = <Input extends z.ZodObject>(definition: {
  name: string;
  title: string;
  description: string;
  input: Input;
  callOf: (input: z.output<Input>) => InnerCall;
  responseOf?: (data: never, input: z.output<Input>) => ToolResponse;
}): Tool => ({
  responseOf: (data: never): ToolResponse => ({ data }),
  ...definition,
});

const symbol = z.string().min(1).max(60).describe('Symbol from list_symbols, e.g. BTCUSDT.');
const interval = IntervalName.default('1h');
const exchange = ExchangeName.default('binance');
const series = { symbol, interval, exchange };
/** Fewer than the route allows: the response goes into the context of an agent, and each candle is six numbers. */
const CANDLES_SHOWN_MAX = 500;
const query = (values: Record<string, string | number>): string =>
  new URLSearchParams(
    Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();

const runFields = {
  ...series,
  limit: RunBacktestBody.shape.limit,
  params: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('Strategy parameters as in POST /api/backtest; missing ones take defaults.'),
  strategy: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Rules instead of params, as in POST /api/backtest; the first interval must equal `interval`.'),
  rules: RunBacktestBody.shape.rules.describe(
    'Own rules as text, in place of `params` and `strategy`: `long when rsi(14) < 30`, one statement a line. `n = 12 [5..50 step 1]` is a parameter that a search varies. An error names line, column and fix.',
  ),
};

type Market = z.output<z.ZodObject<typeof runFields>>;

/** A search refines as many sets again as it draws. */
const luckBody = ({ symbol: name, interval: length, exchange: venue, limit }: Market, samples: number): object => ({
  symbol: name,
  interval: length,
  exchange: venue,
  limit,
  trials: 2 * samples,
});

const judgedWords = (honesty: PortfolioRun['honesty']): string => (honesty === null ? '' : verdictWords(honesty));

function searchedPortfolio({ leaders, ...found }: SearchedPortfolio): ToolResponse {
  const { samples, target, best, honesty } = found;
  const unseen = best?.unseen ?? null;
  const words =
    unseen === null
      ? `None of ${tried(samples)} could be ranked: a set needs ${TRADES_MIN} closed trades, equity left and a figure of its target, ${target}. Widen the ranges or add candles.`
      : `Best of ${tried(samples)}, on candles the search did not see: ${accountWords(unseen)}`;
  return { words: `${words}\n${judgedWords(honesty)}`, data: { ...found, leaders: leaders.slice(0, 5) } };
}

const luckResponse = ({ words, ...data }: Luck): ToolResponse => ({ words, data });

function searchResponse(
  data: Optimised,
  { symbol: name, interval: length, exchange: venue, limit }: Market,
): ToolResponse {
  const { best, honesty, trialCount, leaders, walkForward, last_candle_at: lastCandleAt } = data;
  const set = best.strategy === undefined ? { params: best.bestParams } : { strategy: best.strategy };
  const ran = { symbol: name, interval: length, exchange: venue, limit, ...set };
  return {
    words: `Best of ${tried(trialCount)}, on candles the search did not see: ${resultWords(best)}\n${verdictWords(honesty)}`,
    data: {
      honesty,
      proof: proofOf(best, lastCandleAt, ran),
      trialCount,
      best: shortened(best),
      leaders: leaders.slice(0, 5),
      walkForward,
    },
  };
}

export const tools: readonly Tool[] = [
  tool({
    name: 'list_symbols',
    title: 'Symbols',
    description: 'List tradable symbols, optionally by part of the name.',
    input: z.strictObject({
      contains: z.string().max(20).default('').describe('Part of the symbol, e.g. BTC.'),
      limit: z.int().min(1).max(200).default(50),
      exchange,
    }),
    callOf: (input) => ({ method: 'GET', path: `/api/futures-symbols?${query({ exchange: input.exchange })}` }),
    responseOf: (data: { symbols: { symbol: string }[] }, { contains, limit }) => {
      const matches = data.symbols.filter((each) => each.symbol.includes(contains.toUpperCase()));
      return { data: { total: matches.length, symbols: matches.slice(0, limit) } };
    },
  }),
  tool({
    name: 'get_candles',
    title: 'Closed candles',
    description: 'Closed candles as columns, oldest first. Times are the open in epoch milliseconds.',
    input: z.strictObject({ ...series, limit: z.int().min(1).max(CANDLES_SHOWN_MAX).default(100) }),
    callOf: (input) => ({ method: 'GET', path: `/api/klines?${query(input)}` }),
  }),
  tool({
    name: 'get_indicators',
    title: 'Indicators',
    description: 'Indicator values at the last closed candle, e.g. sma20, ema50, rsi14, macd, bollinger.',
    input: z.strictObject({
      ...series,
      limit: IndicatorsBody.shape.limit,
      indicators: IndicatorsBody.shape.indicators,
    }),
    callOf: (body) => ({ method: 'POST', path: '/api/technical-indicators', body }),
  }),
  tool({
    name: 'get_signal',
    title: 'Signal with its contributions',
    description:
      'Get the signal at the last closed candle: direction, confidence, stop, target, position size and each vote.',
    input: z.strictObject({
      ...series,
      balance: Balance.default(standardSizing.balance).describe('Simulated capital, USDT.'),
      leverage: Leverage.default(standardSizing.leverage),
      riskTolerance: RiskTolerance.default(standardSizing.riskTolerance),
    }),
    callOf: (body) => ({ method: 'POST', path: '/api/futures-signal', body }),
    responseOf: (data: SignalSaid) => ({
      words: `${data.direction}, confidence ${chance(data.confidence, 1)}.${chanceWords(data)} A signal is an estimate from past candles.`,
      data,
    }),
  }),
  tool({
    name: 'check_rules',
    title: 'Check own rules',
    description:
      'Check own rules as text before a backtest: errors with line, column and fix, or the parameters and the look-back.',
    input: z.strictObject({ rules: CheckRulesBody.shape.rules, interval }),
    callOf: (body) => ({ method: 'POST', path: '/api/rules/check', body }),
  }),
  tool({
    name: 'run_backtest',
    title: 'Backtest with honesty verdict',
    description:
      'Backtest one parameter set, rules strategy or own rules on closed candles. Always includes the honesty verdict, which counts every set your account tried on these candles; repeats count once.',
    input: z.strictObject(runFields),
    callOf: (body) => ({
      method: 'POST',
      path: '/api/backtest',
      body: { ...body, honesty: true },
    }),
    responseOf: (run: JudgedRun, input) => ({
      words: `${resultWords(run)}\n${verdictWords(run.honesty)}`,
      data: { honesty: run.honesty, proof: proofOf(run, run.last_candle_at, input), result: shortened(run) },
    }),
  }),
  tool({
    name: 'backtest_portfolio',
    title: 'One account over many symbols with honesty verdict',
    description:
      'Backtest one strategy with one balance over many symbols, or search its sets. Without strategy, rules and limits it takes what Auto of the account trades. Always includes the honesty verdict.',
    input: z.strictObject({
      symbols: z
        .array(symbol)
        .min(1)
        .max(PORTFOLIO_SYMBOLS_MAX)
        .optional()
        .describe('The universe of the account when absent.'),
      exchange,
      interval: IntervalName.optional().describe('That of the strategy, or 1h, when absent.'),
      limit: RunPortfolioBody.shape.limit,
      strategy: z.record(z.string(), z.unknown()).optional().describe('A strategy as in POST /api/backtest/portfolio.'),
      rules: z.string().max(RULES_TEXT_MAX).optional().describe('Own rules as text instead of `strategy`.'),
      limits: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('Limits as in POST /api/backtest/portfolio; those of the Auto settings when absent.'),
      search: PortfolioSearchWire.optional().describe(
        'Searches sets of the account on the first 70 % of the candles, shows the best on the rest and counts every set. Own rules have their ranges in the text: `n = 12 [5..50 step 1]`.',
      ),
    }),
    callOf: ({ search, ...body }) =>
      search === undefined
        ? { method: 'POST', path: '/api/backtest/portfolio', body: { ...body, honesty: true } }
        : {
            method: 'POST',
            path: '/api/backtest/portfolio/search',
            body: { ...search, run: { ...body, honesty: true } },
          },
    responseOf: (run: PortfolioRun | SearchedPortfolio) =>
      'leaders' in run
        ? searchedPortfolio(run as SearchedPortfolio)
        : {
            words: `${portfolioWords(run)}\n${judgedWords(run.honesty)}`,
            data: portfolioData(run),
          },
  }),
  tool({
    name: 'optimize_parameters',
    title: 'Search for parameters with honesty verdict',
    description:
      'Search the earlier candles for the best parameters or rules and show the best set on the later candles. Always includes what luck alone would find with as many tries. With `luckOnly` it reports that and searches nothing: call it first.',
    input: z.strictObject({
      ...runFields,
      samples: z
        .int()
        .min(SAMPLES_MIN)
        .max(SAMPLES_MAX)
        .default(100)
        .describe('Sets to draw; as many again refine the best.'),
      target: OptimizeTargetWire.default(searchDefaults.target),
      seed: z.int().min(0).max(1e9).default(searchDefaults.seed),
      luckOnly: z
        .boolean()
        .default(false)
        .describe('What would luck find? The best that so many sets without skill usually show here; runs no set.'),
    }),
    callOf: ({ samples, target, seed, luckOnly, ...body }) =>
      luckOnly
        ? { method: 'POST', path: '/api/backtest/luck', body: luckBody(body, samples) }
        : {
            method: 'POST',
            path: '/api/backtest',
            body: { ...body, honesty: true, optimize: { samples, target, seed } },
          },
    responseOf: (data: Optimised | Luck, input) =>
      'best' in data ? searchResponse(data as Optimised, input) : luckResponse(data),
  }),
  tool({
    name: 'list_positions',
    title: 'Positions and orders (read only)',
    description: 'List simulated positions of the account, open or closed, or its orders that rest. Read-only.',
    input: z.strictObject({
      state: z.enum(['open', 'closed', 'orders']).default('open').describe('orders: those that rest.'),
      limit: z.int().min(1).max(100).default(50),
    }),
    callOf: (input) => ({
      method: 'GET',
      path: input.state === 'orders' ? '/api/orders?state=resting' : `/api/positions?${query(input)}`,
    }),
  }),
  tool({
    name: 'look_up_term',
    title: 'Glossary and help',
    description: 'Search help articles about a term, e.g. deflated Sharpe ratio, liquidation, funding.',
    input: z.strictObject({ term: z.string().min(1).max(200) }),
    callOf: ({ term }) => ({ method: 'GET', path: `/api/support/articles?${query({ q: term })}` }),
    responseOf: (data: { articles: object[]; nearest: object[]; is_other_language: boolean }) => ({
      data: {
        articles: data.articles.slice(0, 5),
        nearest: data.articles.length > 0 ? [] : data.nearest.slice(0, 5),
        ...(data.is_other_language ? { note: 'The help is in English. These are the nearest articles.' } : {}),
      },
    }),
  }),
];
