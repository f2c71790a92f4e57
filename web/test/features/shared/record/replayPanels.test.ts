import { expect, it } from 'vitest';
import { survivorText } from '../../../../src/features/shared/record/ReplayPanels.tsx';

it('HIST-074 the survivorship bias says which way the mean result would move, and by how much', () => {
  const text = (net_pct: number | null, reason: string | null = null) =>
    survivorText({ ended_symbols: 1200, net_pct, reason });
  expect(text(0.254)).toBe(
    'Delisted symbols included: 1,200. Without them the mean result would be 0.25 percentage points higher.',
  );
  expect(text(-1.5)).toBe(
    'Delisted symbols included: 1,200. Without them the mean result would be 1.50 percentage points lower.',
  );
  expect(text(0)).toBe('Delisted symbols included: 1,200. Without them the mean result would stay the same.');
  expect(text(null, 'No delisted symbol.')).toBe('Survivorship bias not measured. No delisted symbol.');
});
