import type { ExchangeId } from '../../market/port.ts';

type Existence = (symbol: string, buy: ExchangeId, sell: ExchangeId) => number | null;

/** Since when spreads exist, as the sampler of this process knows it: null while another node leads. */
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
