/** P(Z <= x) the slow way: Taylor series in the middle, continued fraction in the tails (Abramowitz, Stegun 26.2.11, 26.2.14). */
export function normalCdfReference(x: number): number {
  const y = Math.abs(x);
  const density = Math.exp((-y * y) / 2) / Math.sqrt(2 * Math.PI);
  if (y < 3) {
    let term = y;
    let sum = y;
    for (let k = 1; k < 200; k++) {
      term *= (y * y) / (2 * k + 1);
      sum += term;
    }
    return x > 0 ? 0.5 + density * sum : 0.5 - density * sum;
  }
  let fraction = 0;
  for (let k = 500; k >= 1; k--) fraction = k / (y + fraction);
  const tail = density / (y + fraction);
  return x > 0 ? 1 - tail : tail;
}
