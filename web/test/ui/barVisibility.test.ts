import { expect, it } from 'vitest';
import { barAtTop, type BarState, nextBarState } from '../../src/ui/Bar.tsx';

const scroll = (...positions: number[]): BarState =>
  positions.reduce((state, y) => nextBarState(state, y, Infinity), barAtTop);

it('PUB-013 CONST-014 is scrolled after 10 px', () =>
  expect([scroll(10).isScrolled, scroll(11).isScrolled]).toEqual([false, true]));

it('PUB-014 SHELL-009 X69 hides after 50 px of scrolling down', () =>
  expect([scroll(50).isHidden, scroll(51).isHidden]).toEqual([false, true]));

it('needs 50 px again after it was shown on the way up', () =>
  expect([scroll(600, 590, 640).isHidden, scroll(600, 590, 641).isHidden]).toEqual([false, true]));

it('shows near the top, under 10 px, and measures the way down from there', () => {
  expect(nextBarState({ isScrolled: true, isHidden: true, anchorY: 0 }, 9, Infinity).isHidden).toBe(false);
  expect(nextBarState({ isScrolled: true, isHidden: true, anchorY: 0 }, 10, Infinity).isHidden).toBe(true);
  expect([scroll(9, 59).isHidden, scroll(9, 60).isHidden, scroll(30, 51).isHidden]).toEqual([false, true, true]);
});

it('shows on the first way up', () => expect(scroll(300, 600, 590).isHidden).toBe(false));

it('stays hidden while the way goes down', () => expect(scroll(300, 600, 601, 602).isHidden).toBe(true));

it('shows while the pointer is in the top 120 px', () => {
  const hidden = scroll(300, 600);
  expect(nextBarState(hidden, 600, 120).isHidden).toBe(false);
  expect(nextBarState(hidden, 600, 121).isHidden).toBe(true);
});
