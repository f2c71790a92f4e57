import { describe, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type {
  CostsRequest,
  IndicatorsRequest,
  ParamsRequest,
  PortfolioRequest,
  RunRequest,
  SearchOptions,
  TrailingRequest,
} from '../../package/src/types.ts';
import type { BacktestRequestWire } from '../../src/protocol/wire/backtest.ts';
import type { TaskCostsWire } from '../../src/protocol/wire/costs.ts';
import type { IndicatorsRequestWire } from '../../src/protocol/wire/indicators.ts';
import type { OptimizeOptionsWire } from '../../src/protocol/wire/optimize.ts';
import type { PortfolioRequestWire } from '../../src/protocol/wire/portfolio.ts';
import type { StrategyParamsWire, TrailingWire } from '../../src/protocol/wire/strategyParams.ts';

/** The package declares its requests by hand, so that its types need no zod. A field of the product that it lacks is a type error here. */
describe('requests of the package', () => {
  it('PKG-005 have the fields of the product', () => {
    expectTypeOf<keyof RunRequest>().toEqualTypeOf<keyof z.input<typeof BacktestRequestWire>>();
    expectTypeOf<keyof ParamsRequest>().toEqualTypeOf<keyof z.input<typeof StrategyParamsWire>>();
    expectTypeOf<keyof TrailingRequest>().toEqualTypeOf<keyof z.input<typeof TrailingWire>>();
    // `rulesOf` names whose rules they are; it changes no figure.
    expectTypeOf<keyof CostsRequest | 'rulesOf'>().toEqualTypeOf<keyof z.input<typeof TaskCostsWire>>();
    expectTypeOf<keyof SearchOptions>().toEqualTypeOf<keyof z.input<typeof OptimizeOptionsWire>>();
    expectTypeOf<keyof IndicatorsRequest>().toEqualTypeOf<keyof z.input<typeof IndicatorsRequestWire>>();
    expectTypeOf<keyof PortfolioRequest>().toEqualTypeOf<keyof z.input<typeof PortfolioRequestWire>>();
  });
});
