import { indicatorEntry, registry } from '../abi/registry.ts';
import type { IndicatorEntry, Parameters } from '../abi/registryTypes.ts';

/** Every indicator that is not an alias. */
export const ownEntries: readonly IndicatorEntry[] = registry.filter((entry) => entry.alias === undefined);

export interface Case {
  id: string;
  params: Parameters;
}

/** Parameter sets beside the defaults: the smallest, odd ones that leave remainders in every block, and long ones. */
const others: Record<string, Parameters[]> = {
  sma: [{ period: 1 }, { period: 2 }, { period: 3 }, { period: 7 }, { period: 50 }, { period: 200 }],
  ema: [{ period: 1 }, { period: 2 }, { period: 5 }, { period: 26 }, { period: 200 }],
  rsi: [{ period: 1 }, { period: 2 }, { period: 9 }, { period: 50 }],
  macd: [
    { fast: 1, slow: 2, signal: 1 },
    { fast: 3, slow: 10, signal: 16 },
    { fast: 5, slow: 35, signal: 5 },
  ],
  boll: [
    { period: 1, width: 1 },
    { period: 2, width: 2.5 },
    { period: 13, width: 1.5 },
    { period: 100, width: 3 },
  ],
  atr: [{ period: 1 }, { period: 2 }, { period: 10 }, { period: 50 }],
  adx: [{ period: 1 }, { period: 2 }, { period: 7 }, { period: 30 }],
  supertrend: [
    { period: 1, multiple: 1 },
    { period: 7, multiple: 2.5 },
    { period: 21, multiple: 1.5 },
  ],
  vwap: [{ period: 1 }, { period: 5 }, { period: 96 }],
  mfi: [{ period: 1 }, { period: 2 }, { period: 9 }, { period: 50 }],
  obv: [],
  cci: [{ period: 1 }, { period: 2 }, { period: 7 }, { period: 40 }],
  donchian: [{ period: 1 }, { period: 2 }, { period: 3 }, { period: 55 }, { period: 128 }],
  ichimoku: [
    { tenkan: 1, kijun: 2, span: 2, displacement: 2 },
    { tenkan: 7, kijun: 22, span: 44, displacement: 22 },
    { tenkan: 20, kijun: 10, span: 5, displacement: 1 },
  ],
  stochrsi: [
    { rsi: 1, stochastic: 1, k: 1, d: 1 },
    { rsi: 7, stochastic: 5, k: 2, d: 4 },
    { rsi: 21, stochastic: 14, k: 5, d: 5 },
  ],
  pivot: [],
  fib: [{ reach: 1 }, { reach: 2 }, { reach: 10 }],
};

export const cases: readonly Case[] = ownEntries.flatMap(({ id }) =>
  [{}, ...(others[id] ?? [])].map((params) => ({ id, params })),
);

export const titleOf = ({ id, params }: Case): string =>
  Object.keys(params).length === 0 ? id : `${id}(${Object.values(params).join(', ')})`;

/** Parameters of a case in kernel order, defaults filled in. */
export function valuesOf({ id, params }: Case): number[] {
  return indicatorEntry(id)!.parameters.map((parameter) => params[parameter.name] ?? parameter.default);
}
