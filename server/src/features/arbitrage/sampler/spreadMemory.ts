import type { ExchangeId } from '../../market/port.ts';

type Existence = (symbol: string, buy: ExchangeId, sell: ExchangeId) => number | null;

/** Start times of current spreads, from this process's sampler: null while another node leads. */
export interface SpreadMemory {
  existsSinceMs: Existence;
  use: (existence: Existence | undefined) => void;
}

export function createSpreadMemory(): SpreadMemory {
  let current: Existence | undefined;
  return {
    existsSinceMs: (symbol, buy, sell) => current?.(symbol, buy, sell) ?? null,
    use: (existence) => (current = existence),
  };
}
