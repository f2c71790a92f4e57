import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@sextant/workers/src/engine/engine.ts';
import { normalCdfReference } from './reference/normal.ts';
import { loadEngine } from '../support.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await loadEngine();
});

describe('normal distribution', () => {
  it('gives the tabulated probabilities and quantiles', () => {
    // 20 digit values from Abramowitz and Stegun, table 26.1 and 26.5.
    expect(engine.raw.normalCdf(0)).toBe(0.5);
    expect(engine.raw.normalCdf(1)).toBeCloseTo(0.84134474606854294859, 15);
    expect(engine.raw.normalCdf(-2)).toBeCloseTo(0.02275013194817920721, 16);
    expect(engine.raw.normalQuantile(0.975)).toBeCloseTo(1.95996398454005423552, 14);
    expect(engine.raw.normalQuantile(0.95)).toBeCloseTo(1.64485362695147271486, 14);
    expect(engine.raw.normalQuantile(1e-10)).toBeCloseTo(-6.36134090240406161, 13);
  });

  it('equals the slow series to 1e-12 relative, far into the lower tail', () => {
    let worst = 0;
    for (let x = -30; x <= 8; x += 0.0137) {
      const truth = normalCdfReference(x);
      worst = Math.max(worst, Math.abs(engine.raw.normalCdf(x) - truth) / truth);
    }
    expect(worst).toBeLessThan(1e-12);
  });

  it('inverts its own distribution function', () => {
    for (let x = -37; x < 4; x += 0.0113) {
      expect(Math.abs(engine.raw.normalQuantile(engine.raw.normalCdf(x)) - x)).toBeLessThan(1e-12 * Math.max(1, -x));
    }
  });

  it('is symmetric, rises, and ends at 0, 1 and infinity', () => {
    let last = -1;
    for (let x = -9; x <= 9; x += 0.01) {
      const here = engine.raw.normalCdf(x);
      expect(here).toBeGreaterThanOrEqual(last);
      expect(here + engine.raw.normalCdf(-x)).toBeCloseTo(1, 14);
      last = here;
    }
    expect(engine.raw.normalCdf(-Infinity)).toBe(0);
    expect(engine.raw.normalCdf(Infinity)).toBe(1);
    expect(engine.raw.normalQuantile(0)).toBe(-Infinity);
    expect(engine.raw.normalQuantile(1)).toBe(Infinity);
  });

  it('returns NaN outside its domain', () => {
    for (const bad of [-0.1, 1.1, NaN]) expect(engine.raw.normalQuantile(bad)).toBeNaN();
    expect(engine.raw.normalCdf(NaN)).toBeNaN();
  });
});
