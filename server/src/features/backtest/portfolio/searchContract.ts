import { PortfolioSummaryWire } from '@sextant/workers/src/protocol/wire/portfolioResult.ts';
import { SetLevelsWire } from '@sextant/workers/src/protocol/wire/strategy.ts';
import { PortfolioSearchWire } from '@sextant/workers/src/protocol/wire/portfolio.ts';
import { PORTFOLIO_TRAIN_SHARE, portfolioTargets } from '@sextant/workers/src/protocol/portfolioSearch.ts';
import { z } from 'zod';
import { ExchangeName, IntervalName } from '../../market/contract.ts';
import { HonestyVerdict } from '../runContract.ts';
import { PortfolioLeftOut, RunPortfolioBody } from './contract.ts';

/** A search over sets of one account. Rules: docs/portfolio.md, section 7. */

const count = z.int().min(0);

export const SearchPortfolioBody = PortfolioSearchWire.extend({
  run: RunPortfolioBody,
  progressId: z.uuid().optional().meta({
    description: 'Events `portfolio_search` report the progress under this id.',
  }),
});
export type PortfolioSearchBody = z.output<typeof SearchPortfolioBody>;

export const PortfolioSetResult = z.object({
  index: count,
  set: SetLevelsWire.meta({
    description: 'Threshold and levels of this set, or its values of own rules; empty: those of the run.',
  }),
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
