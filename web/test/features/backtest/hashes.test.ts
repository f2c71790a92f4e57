import { describe, expect, it } from 'vitest';
import { compareHashes, hashesOf, UnexpectedResponse } from '../../../src/features/backtest/hashes.ts';

const hashes = { engine: 'e', data: 'd', params: 'p', result: 'r' };
const figures = { pnl: 1, winRate: null, trades: 0, maxDrawdown: 0, bestParams: {} };

describe('a server response', () => {
  it('may hold the figures themselves, or the same inside best', () => {
    expect(hashesOf({ ...figures, hashes })).toEqual(hashes);
    expect(hashesOf({ best: { ...figures, hashes } })).toEqual(hashes);
    expect(hashesOf({ best: figures, hashes })).toEqual(hashes);
  });

  it.each([
    ['nothing', null],
    ['a text', 'ok'],
    ['figures without hashes', figures],
    ['hashes without figures', { hashes }],
    ['a hash too few', { ...figures, hashes: { engine: 'e', data: 'd', params: 'p' } }],
    ['figures without the number of trades', { pnl: 1, winRate: 1, maxDrawdown: 0, bestParams: {}, hashes }],
  ])('in another shape (%s) is rejected in the words of the specification', (_, response) => {
    expect(() => hashesOf(response)).toThrow(UnexpectedResponse);
    expect(() => hashesOf(response)).toThrow('Unexpected response format from backtest');
  });
});

describe('two sets of hashes', () => {
  it('match when every one does', () => expect(compareHashes(hashes, { ...hashes }).isEqual).toBe(true));

  it('name the one that differs', () => {
    const { isEqual, rows } = compareHashes(hashes, { ...hashes, result: 'x' });
    expect(isEqual).toBe(false);
    expect(rows.filter((row) => !row.isEqual)).toEqual([{ name: 'result', browser: 'r', server: 'x', isEqual: false }]);
  });
});
