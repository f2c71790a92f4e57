import { describe, expect, it } from 'vitest';
import { createSeal } from '../../src/platform/seal.ts';

const seal = createSeal('a secret that is long enough for this', 'test');

describe('a sealed text', () => {
  it('can be opened, and differs each time', () => {
    const [one, two] = [seal.seal('Grüße', 'a'), seal.seal('Grüße', 'a')];
    expect(one).not.toBe(two);
    expect([seal.open(one, 'a'), seal.open(two, 'a')]).toEqual(['Grüße', 'Grüße']);
  });

  it('cannot be opened in another context, for another purpose, with another secret, or changed', () => {
    const sealed = seal.seal('JBSWY3DPEHPK3PXP', 'anna');
    expect(() => seal.open(sealed, 'bert')).toThrow();
    expect(() => createSeal('a secret that is long enough for this', 'mail').open(sealed, 'anna')).toThrow();
    expect(() => createSeal('another secret, as long as that one is', 'test').open(sealed, 'anna')).toThrow();
    for (const at of [0, 14, sealed.length - 2]) {
      const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
      expect(() => seal.open(changed, 'anna'), String(at)).toThrow();
    }
    expect(() => seal.open('', 'anna')).toThrow();
  });

  it('a hash depends on its context', () => {
    expect(seal.hash('code', 'anna')).toBe(seal.hash('code', 'anna'));
    expect(seal.hash('code', 'anna')).not.toBe(seal.hash('code', 'bert'));
    expect(seal.hash('code', 'anna')).toHaveLength(43);
  });
});
