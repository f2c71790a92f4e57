import type { PositionView } from '../../src/api/positionView.ts';

/** 10 coins at 100, 10x; entry fee 0.50 at 0.05 %. */
export const viewWith = (change: Partial<PositionView> = {}): PositionView => ({
  ...{ id: 'a', symbol: 'AUSDT', side: 'LONG', interval: '1h', source: 'scan', market: 'simulated', entryPrice: 100 },
  ...{
    qty: 10,
    leverage: 10,
    notional: 1000,
    margin: 100,
    stopLoss: 98,
    initialStopLoss: 98,
    takeProfit: 104,
    liquidationApprox: 90.45,
  },
  ...{ confidence: 0.72, lossAtStop: 20.99, openedAt: 0, armedAt: 60_000, trailing: null, trailPeak: 100 },
  ...{ closedAt: null, closePrice: null, closeReason: null, pnl: null, roiPct: null, fees: 0.5, funding: 0 },
  ...{ netPnl: null, returnOnMarginPct: null },
  ...change,
});
