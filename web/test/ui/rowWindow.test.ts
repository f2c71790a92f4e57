import { describe, expect, it } from 'vitest';
import { rowWindow, scrollTopFor } from '../../src/ui/grid/DataGrid.tsx';

const view = { top: 3200, height: 320, rowPx: 32 };

describe('rows of a long list', () => {
  it('are drawn where they are in sight, and a few around', () =>
    expect(rowWindow({ ...view, count: 10_000 })).toEqual({ from: 92, to: 118 }));

  it('are all drawn when they are few', () =>
    expect(rowWindow({ top: 0, height: 320, rowPx: 32, count: 5 })).toEqual({ from: 0, to: 5 }));

  it('are none when the list has shrunk above the place', () =>
    expect(rowWindow({ ...view, count: 10 })).toEqual({ from: 10, to: 10 }));
});

describe('scrolling to a row', () => {
  it('changes nothing when it is in sight', () => expect(scrollTopFor(105, view)).toBe(3200));
  it('brings one above to the top', () => expect(scrollTopFor(50, view)).toBe(1600));
  it('brings one below to the bottom', () => expect(scrollTopFor(200, view)).toBe(6112));
});
