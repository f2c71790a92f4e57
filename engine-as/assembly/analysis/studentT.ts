/**
 * P(T >= t) of Student's t distribution with whole degrees of freedom; for t far in the right tail exact to about 1e-16 absolute.
 * Source: Abramowitz, Stegun, Handbook of Mathematical Functions (1964), 26.7.3 and 26.7.4: finite sums, one term for each
 * two degrees of freedom.
 * @param freedom >= 1
 */
export function studentTail(t: f64, freedom: i32): f64 {
  const both = within(Math.abs(t), freedom);
  return t > 0 ? (1 - both) / 2 : (1 + both) / 2;
}

/** P(|T| <= t) for t >= 0. */
function within(t: f64, freedom: i32): f64 {
  const angle = Math.atan(t / Math.sqrt(<f64>freedom));
  const cosine = Math.cos(angle);
  const isOdd = (freedom & 1) === 1;
  // Terms grow by (k - 1) / k x cos^2: from cos for odd degrees (k = 3, 5, ...), from 1 for even ones (k = 2, 4, ...).
  let term: f64 = isOdd ? cosine : 1;
  let sum: f64 = freedom > 1 ? term : 0;
  for (let k = isOdd ? 3 : 2; k <= freedom - 2; k += 2) {
    term *= ((<f64>k - 1) / <f64>k) * cosine * cosine;
    sum += term;
  }
  const sine = Math.sin(angle);
  return isOdd ? ((angle + sine * sum) * 2) / Math.PI : sine * sum;
}
