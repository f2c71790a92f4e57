import type { ShockOutcome } from '@sextant/workers/src/protocol/positions.ts';
import { describe, expect, it } from 'vitest';
import { engineTrailing } from '../../../../src/features/positions/positionShapes.ts';
import { nextLiquidation, shockInput, shockView, walkable } from '../../../../src/features/positions/risk/shock.ts';
import { mark } from '../../../../src/features/positions/mark.ts';
import { lastOnly, viewWith } from '../../../support/positions.ts';

const open = viewWith({ id: 'a', symbol: 'AUSDT' });
const other = viewWith({ id: 'b', symbol: 'BUSDT', side: 'SHORT', liquidationApprox: 109.45, stopLoss: 112 });
const list = [mark(open, lastOnly(100)), mark(viewWith({ symbol: 'ZUSDT' }), null), mark(other, lastOnly(100))];
const betas = new Map([
  ['AUSDT', { value: 1.8, count: 500 }],
  ['BUSDT', null],
]);
const settings = { shockPct: 3, isByBeta: false, isGap: false };

describe('the walk of a shock', () => {
  const walked = walkable(list, betas);

  it('leaves out what has no price', () => {
    expect(walked.map(({ marked }) => marked.position.symbol)).toEqual(['AUSDT', 'BUSDT']);
  });

  it('moves every symbol alike, or by its beta, and as the market where there is none', () => {
    const moves = (isByBeta: boolean, direction: 1 | -1) =>
      shockInput(walked, { ...settings, isByBeta }, direction).items.map(({ moveFraction }) => moveFraction);
    expect(moves(false, -1)).toEqual([-0.03, -0.03]);
    expect(moves(true, 1)[0]).toBeCloseTo(0.054, 12);
    expect(moves(true, 1)[1]).toBe(0.03);
  });

  it('never moves a price below zero', () => {
    const wild = walkable([mark(open, lastOnly(100))], new Map([['AUSDT', { value: 8, count: 500 }]]));
    expect(shockInput(wild, { ...settings, shockPct: 20, isByBeta: true }, -1).items[0]?.moveFraction).toBe(-0.99);
  });

  it('hands the position over in the engine’s units', () => {
    const [item] = shockInput(walked, settings, -1).items;
    expect(item).toMatchObject({
      position: { side: 'LONG', entryPrice: 100, quantity: 10, leverage: 10, stopPrice: 98, takerFeeFraction: 0.0005 },
      markPrice: 100,
    });
    expect(engineTrailing({ mode: 'percent', callbackPct: 0.5, stepPct: 0.25, activationPct: 6 })).toEqual({
      mode: 'percent',
      callbackFraction: 0.005,
      stepFraction: 0.0025,
      activationFraction: 0.06,
    });
    expect(engineTrailing({ mode: 'atr', atrMultiplier: 2, atrPeriod: 14, activationPct: 0 })).toEqual({
      mode: 'atr',
      atrMultiplier: 2,
      activationFraction: 0,
    });
    expect(engineTrailing(null)).toEqual({ mode: 'off' });
  });

  it('says who is stopped, who is liquidated and what is left', () => {
    const outcome = (closeReason: ShockOutcome['closeReason'], pnl: number): ShockOutcome => ({
      closeReason,
      pnl,
      endPrice: 97,
      exitPrice: null,
      stopPrice: 98,
      closedAt: null,
    });
    const seen = shockView(walked, [outcome('SL', -30.5), outcome('LIQ', -110)], 1000);
    expect(seen).toMatchObject({ pnl: -140.5, equity: 859.5, stillOpen: 0, taken: [] });
    expect(seen.stopped.map(({ position }) => position.id)).toEqual(['a']);
    expect(seen.liquidated.map(({ position }) => position.id)).toEqual(['b']);
  });
});

describe('the next liquidation', () => {
  it('is the nearest by the symbol’s own move, and says when a stop stands before it', () => {
    const next = nextLiquidation(list);
    expect(next?.position.id).toBe('b');
    expect(next?.moveFraction).toBeCloseTo(0.0945, 9);
    expect(next?.isBehindStop).toBe(false); // the stop at 112 is beyond 109.45
    expect(nextLiquidation([mark(open, lastOnly(100))])).toMatchObject({ isBehindStop: true });
  });

  it('is none without a price or a liquidation level', () => {
    expect(nextLiquidation([mark(viewWith({ liquidationApprox: null }), lastOnly(100)), mark(open, null)])).toBeNull();
  });
});
