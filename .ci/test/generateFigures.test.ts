import { expect, it } from 'vitest';
import { facts } from '../../server/src/features/help/facts.ts';
import { withFigures } from '../generateFigures.ts';

it('a marked figure is that of its owner, and a line without a mark stays as it was written', () => {
  const text = 'Sized 9 or <!-- {{filesMax}} -->9<!-- / -->, and <!-- {{scanPrice}} -->9<!-- / -->.';
  expect(withFigures('a.md', text)).toBe(
    `Sized 9 or <!-- {{filesMax}} -->${facts.filesMax}<!-- / -->, and <!-- {{scanPrice}} -->${facts.scanPrice}<!-- / -->.`,
  );
});

it('a figure without an owner is an error that names its document', () => {
  expect(() => withFigures('a.md', '<!-- {{unknown}} -->9<!-- / -->')).toThrow('a.md: {{unknown}} has no owner');
});
