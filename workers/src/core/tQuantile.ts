import { Z_95 } from './wilson.ts';

/**
 * Quantile 0.975 of Student's t distribution, by the expansion of Cornish and Fisher; within 1 % from 3 degrees of freedom on.
 * @param freedom whole degrees of freedom, 1 or more
 */
export function tQuantile(freedom: number): number {
  if (freedom === 1) return 12.706;
  if (freedom === 2) return 4.303;
  const z3 = Z_95 ** 3;
  const z5 = Z_95 ** 5;
  const z7 = Z_95 ** 7;
  return (
    Z_95 +
    (z3 + Z_95) / (4 * freedom) +
    (5 * z5 + 16 * z3 + 3 * Z_95) / (96 * freedom ** 2) +
    (3 * z7 + 19 * z5 + 17 * z3 - 15 * Z_95) / (384 * freedom ** 3)
  );
}
