import { PortfolioSummaryWire } from '@sextant/workers/src/protocol/wire/portfolioResult.ts';
import { SetLevelsWire } from '@sextant/workers/src/protocol/wire/strategy.ts';
import {
  PORTFOLIO_SAMPLES,
  PORTFOLIO_SEED_MAX,
  PORTFOLIO_TRAIN_SHARE,
  type PortfolioRangeName,
  portfolioRangeRules,
  portfolioTargets,
} from '@sextant/workers/src/protocol/portfolioSearch.ts';
import { z } from 'zod';
import { ExchangeName, IntervalName } from '../../market/contract.ts';
import { HonestyVerdict } from '../runContract.ts';
import { PortfolioLeftOut, RunPortfolioBody } from './contract.ts';

/** A search over sets of one account. Rules: docs/portfolio.md, section 7. */

const count = z.int().min(0);

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

const ranges = z
  .strictObject({
    entryThreshold: rangeOf('entryThreshold'),
    stopFactor: rangeOf('stopFactor'),
    targetFactor: rangeOf('targetFactor'),
    positionsMax: rangeOf('positionsMax'),
    openingsMax: rangeOf('openingsMax'),
  })
  .refine((all) => Object.keys(all).length > 0, 'must have one range at least')
  .meta({
    description:
      'Values that sets are drawn from; absent ones stay. A factor multiplies the stop or target of the strategy. Own rules have their exits in their text: only slots are searched.',
  });

export const SearchPortfolioBody = z.strictObject({
  run: RunPortfolioBody,
  ranges,
  samples: z
    .int()
    .min(PORTFOLIO_SAMPLES.min)
    .max(PORTFOLIO_SAMPLES.max)
    .default(PORTFOLIO_SAMPLES.default)
    .meta({ description: 'Sets in all, yours among them.' }),
  seed: z.int().min(0).max(PORTFOLIO_SEED_MAX).default(1),
  target: z.enum(portfolioTargets).default('pnl'),
  progressId: z.uuid().optional().meta({
    description: 'Events `portfolio_search` report the progress under this id.',
  }),
});
export type PortfolioSearchBody = z.output<typeof SearchPortfolioBody>;

export const PortfolioSetResult = z.object({
  index: count,
  set: SetLevelsWire.meta({ description: 'Threshold and levels of this set; empty: those of the run.' }),
  limits: z.object({ positionsMax: count.optional(), openingsMax: count.optional() }),
  train: PortfolioSummaryWire,
  unseen: PortfolioSummaryWire.nullable().meta({ description: 'null: not run on the unseen candles.' }),
});

const Span = z.object({
  from: z.number().meta({ description: 'Epoch ms.' }),
  to: z.number(),
  candles: count,
});

export const SearchPortfolioResponse = z.object({
  exchange: ExchangeName,
  interval: IntervalName,
  strategy_name: z.string().nullable(),
  equity: z.number().meta({ description: 'At the start of either span, USDT.' }),
  train: Span.meta({ description: `The first ${PORTFOLIO_TRAIN_SHARE * 100} % of the candles.` }),
  unseen: Span,
  samples: count,
  seed: count,
  target: z.enum(portfolioTargets),
  ranked: count.meta({ description: 'Sets with at least 10 trades and the figure of the target.' }),
  best: PortfolioSetResult.nullable().meta({ description: 'null: no set was ranked.' }),
  own: PortfolioSetResult,
  leaders: z.array(PortfolioSetResult).meta({ description: 'The best sets, best first.' }),
  honesty: HonestyVerdict.nullable(),
  left_out: PortfolioLeftOut,
});
export type PortfolioSearchResponse = z.output<typeof SearchPortfolioResponse>;
