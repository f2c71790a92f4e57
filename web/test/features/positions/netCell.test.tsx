import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { mark, totalsOf } from '../../../src/features/positions/mark.ts';
import { Net } from '../../../src/features/positions/table/OpenTable.tsx';
import { closeAllNet } from '../../../src/features/positions/CloseAllMenu.tsx';
import { lastOnly, viewWith } from '../../support/positions.ts';

const priced = mark(viewWith(), lastOnly(101));
const unpriced = mark(viewWith({ symbol: 'ZUSDT' }), null);

describe('the net result of closing now', () => {
  it('DESK-176 is absent when no position of several has a price, and says how many have one', () => {
    expect(closeAllNet([unpriced, unpriced])).toEqual({ net: null, note: null });
    expect(closeAllNet([])).toEqual({ net: null, note: null });
    const some = closeAllNet([priced, unpriced, unpriced]);
    expect(some.net).toBeCloseTo(8.7951, 9);
    expect(some.note).toBe('1 of 3 priced');
    expect(closeAllNet([priced, priced])).toEqual({ net: totalsOf([priced, priced]).netIfClosed, note: null });
  });

  it('DESK-176 has one mark in the table where the spread is unknown, its words for screen readers', () => {
    const markup = renderToStaticMarkup(<Net row={priced} />);
    expect(markup).not.toContain('no spread');
    const seen = markup.replaceAll(/<span class="sr-only">.*?<\/span>/g, '').replaceAll(/<[^>]*>/g, '');
    expect(seen).toBe('+8.80*');
    expect(markup).toContain('<span class="sr-only"> spread unknown</span>');
    const known = mark(viewWith(), { last: 101, bid: 100.9, ask: 101.1 });
    expect(renderToStaticMarkup(<Net row={known} />)).toBe('+7.80');
  });
});
