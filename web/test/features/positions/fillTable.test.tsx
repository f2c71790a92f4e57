import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { PositionFill } from '../../../src/api/types.ts';
import { FillTable } from '../../../src/features/positions/detail/FillList.tsx';
import { factsOf } from '../../../src/features/positions/detail/positionFacts.ts';
import { mark } from '../../../src/features/positions/mark.ts';
import { lastOnly, viewWith } from '../../support/positions.ts';

const fill = (change: Partial<PositionFill>): PositionFill => ({
  id: change.kind ?? 'open',
  at: '2026-01-03T14:05:09.000Z',
  kind: 'open',
  role: 'taker',
  price: 100,
  quantity: 10,
  fee: 0.5,
  pnl: 0,
  reason: null,
  order_id: null,
  market_price: null,
  half_spread: null,
  slippage: null,
  ...change,
});

/** Words of each cell, row by row. */
const rowsOf = (markup: string): string[][] =>
  markup
    .split('<tr')
    .slice(2)
    .map((row) =>
      row
        .split('<td')
        .slice(1)
        .map((cell) => cell.replace(/^[^>]*>/, '').replaceAll(/<[^>]*>/g, '')),
    );

it('DESK-181 each fill of a position states side, time, role, fee, reason and result', () => {
  const fills = [
    fill({ role: 'maker' }),
    fill({
      kind: 'partial_close',
      price: 104,
      quantity: 4,
      fee: 0.208,
      pnl: 16,
      reason: 'TP',
      market_price: 104.02,
      half_spread: 0.01,
      slippage: 0.01,
    }),
  ];
  const [opened, when, closed, why] = rowsOf(
    renderToStaticMarkup(<FillTable fills={fills} side="LONG" decimals={2} />),
  );
  expect(opened).toEqual(['Buy Opened', '10.0000', '100.00', '–']);
  expect(when?.[0]).toMatch(/^2026-01-0[34] \d\d:\d5:09, maker, fee 0\.50 USDT$/);
  expect(closed).toEqual(['Sell Closed a part', '4.0000', '104.00', '+16.00']);
  expect(why?.[0]).toMatch(/, taker, fee 0\.21 USDT\. TP targetMarket 104\.02, half spread 0\.0100, slippage 0\.0100$/);
  const [entered, , left] = rowsOf(
    renderToStaticMarkup(<FillTable fills={[fill({}), fill({ kind: 'close', pnl: -3 })]} side="SHORT" decimals={2} />),
  );
  expect(entered?.[0]).toBe('Sell Opened');
  expect(left).toEqual(['Buy Closed', '10.0000', '100.00', '\u22123.00']);
});

it('DESK-185 a position opened by hand states no confidence', () => {
  const confidenceOf = (change: Parameters<typeof viewWith>[0]) =>
    new Map(factsOf(mark(viewWith(change), lastOnly(101)), 2)).get('Confidence');
  expect(confidenceOf({ source: 'manual', confidence: 0 })).toBe('–');
  // By hand on a signal: that of the signal.
  expect(confidenceOf({ source: 'manual', confidence: 0.72 })).toBe('72.0\u00a0%');
});

it('DESK-180 the facts of an open position name each target, and what partial closes realised', () => {
  const targets = [
    { price: 104, fraction: 0.5 },
    { price: 108, fraction: 0.5 },
  ];
  const facts = new Map(factsOf(mark(viewWith({ takeProfits: targets, realisedPnl: 16 }), lastOnly(101)), 2));
  expect(facts.get('Targets')).toBe('104.00 (50 %), 108.00 (50 %)');
  expect(facts.get('Realised by partial closes, USDT')).toBe('+16.00');
  const whole = new Map(factsOf(mark(viewWith(), lastOnly(101)), 2));
  expect(whole.get('Target')).toBe('104.00');
  expect([...whole.keys()]).not.toContain('Realised by partial closes, USDT');
});
