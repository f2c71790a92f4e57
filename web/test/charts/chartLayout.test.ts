import { expect, it } from 'vitest';
import { layoutOf, readLayout, toggleIndicator } from '../../src/charts/chartLayout.ts';

it('a stored layout is restored; invalid text gives the default layout', () => {
  const usual = { scale: 'linear', indicators: [], paneSize: 'medium' };
  expect(readLayout('{"isLog":true,"indicators":["rsi","boll","rsi"]}')).toEqual({
    scale: 'log',
    indicators: ['rsi', 'boll'],
    paneSize: 'medium',
  });
  const own = { scale: 'percent', indicators: ['rsi'], paneSize: 'large' };
  expect(readLayout(JSON.stringify(own))).toEqual(own);
  for (const text of [null, '', '{', '[]', '7', '{"isLog":"yes","indicators":[1]}', '{"scale":"cubic","paneSize":7}'])
    expect(readLayout(text), String(text)).toEqual(usual);
});

it('an indicator is shown by one press and hidden by the next, in the order of the choices', () => {
  const layout = layoutOf('lab');
  for (const id of ['rsi', 'boll', 'macd']) toggleIndicator(layout, id);
  toggleIndicator(layout, 'boll');
  expect(layout.indicators).toEqual(['rsi', 'macd']);
  // The chart of another place has its own.
  expect(layoutOf('market').indicators).toEqual([]);
  for (const id of ['rsi', 'macd']) toggleIndicator(layout, id);
});
