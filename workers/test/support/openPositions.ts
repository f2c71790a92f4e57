import type { FillCosts, OpenPosition, ShockItem } from '../../src/protocolPositions.ts';

export const noTrailing = { enabled: false, callbackFraction: 0, stepFraction: 0 };
/** Taker fees of 0.05 %, no slippage, no ticks: figures that can be checked by head. */
export const plainCosts: FillCosts = {
  ...{ takerFeeFraction: 0.0005, makerFeeFraction: 0, slippageFraction: 0, stopSlippageFraction: 0 },
  takeProfitOrder: 'market',
};

/** 10 coins at 100 with 10x: margin 100, entry fee 0.50, liquidated at 900 / 9.95 (Binance, 0.5 % maintenance). */
export const longOf10 = (change: Partial<OpenPosition> = {}): OpenPosition => ({
  ...{
    side: 'LONG',
    entryTimeMs: 0,
    entryPrice: 100,
    quantity: 10,
    margin: 100,
    bestPrice: 100,
    fees: 0.5,
    funding: 0,
  },
  ...{ stopLossPrice: 98, takeProfitPrice: 104, liquidationPrice: 900 / 9.95, trailing: noTrailing },
  ...change,
});

/** The same the other way; liquidated at 1100 / 10.05. */
export const shortOf10 = (change: Partial<OpenPosition> = {}): OpenPosition =>
  longOf10({ side: 'SHORT', stopLossPrice: 102, takeProfitPrice: 96, liquidationPrice: 1100 / 10.05, ...change });

export const shockItem = (change: Partial<ShockItem> = {}): ShockItem => ({
  ...{ position: longOf10(), markPrice: 101, moveFraction: -0.03, atr: null, costs: plainCosts },
  ...change,
});
