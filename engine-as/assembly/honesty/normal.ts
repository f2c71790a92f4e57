/**
 * The normal distribution, relative error below 1e-12 where the result is representable.
 * Sources: cdf: Cody, Algorithm 715 (ACM TOMS 1993), rational Chebyshev approximations in three ranges;
 * quantile: Wichura, Algorithm AS 241, PPND16 (Applied Statistics 1988).
 */
const SQRT_32: f64 = 5.656854249492380195;
const ONE_OVER_SQRT_2PI: f64 = 0.398942280401432677939946;

/** P(Z <= x). Exact 0 and 1 beyond about -37.5 and 8.3; NaN for NaN. */
export function normalCdf(x: f64): f64 {
  if (isNaN(x)) return NaN;
  const y = Math.abs(x);
  if (y <= 0.67448975) return 0.5 + centre(x);
  const tail = y <= SQRT_32 ? shoulder(y) : farTail(y);
  return x > 0 ? 1.0 - tail : tail;
}

function centre(x: f64): f64 {
  const s = x * x;
  let top = 0.065682337918207449113 * s;
  let bottom = s;
  top = (top + 2.2352520354606839287) * s;
  bottom = (bottom + 47.20258190468824187) * s;
  top = (top + 161.02823106855587881) * s;
  bottom = (bottom + 976.09855173777669322) * s;
  top = (top + 1067.6894854603709582) * s;
  bottom = (bottom + 10260.932208618978205) * s;
  return (x * (top + 18154.981253343561249)) / (bottom + 45507.789335026729956);
}

/** exp(-y^2 / 2) with y split at a sixteenth: the square of the coarse part is exact, so its rounding is not amplified. */
function gaussian(y: f64): f64 {
  const coarse = Math.trunc(y * 16.0) / 16.0;
  const rest = (y - coarse) * (y + coarse);
  return Math.exp(-coarse * coarse * 0.5) * Math.exp(-rest * 0.5);
}

function shoulder(y: f64): f64 {
  let top = 1.0765576773720192317e-8 * y;
  let bottom = y;
  top = (top + 0.39894151208813466764) * y;
  bottom = (bottom + 22.266688044328115691) * y;
  top = (top + 8.8831497943883759412) * y;
  bottom = (bottom + 235.38790178262499861) * y;
  top = (top + 93.506656132177855979) * y;
  bottom = (bottom + 1519.377599407554805) * y;
  top = (top + 597.27027639480026226) * y;
  bottom = (bottom + 6485.558298266760755) * y;
  top = (top + 2494.5375852903726711) * y;
  bottom = (bottom + 18615.571640885098091) * y;
  top = (top + 6848.1904505362823326) * y;
  bottom = (bottom + 34900.952721145977266) * y;
  top = (top + 11602.651437647350124) * y;
  bottom = (bottom + 38912.003286093271411) * y;
  return (gaussian(y) * (top + 9842.7148383839780218)) / (bottom + 19685.429676859990727);
}

function farTail(y: f64): f64 {
  if (y > 38.6) return 0;
  const s = 1.0 / (y * y);
  let top = 0.02307344176494017303 * s;
  let bottom = s;
  top = (top + 0.21589853405795699) * s;
  bottom = (bottom + 1.28426009614491121) * s;
  top = (top + 0.1274011611602473639) * s;
  bottom = (bottom + 0.468238212480865118) * s;
  top = (top + 0.022235277870649807) * s;
  bottom = (bottom + 0.0659881378689285515) * s;
  top = (top + 0.001421619193227893466) * s;
  bottom = (bottom + 0.00378239633202758244) * s;
  const series = (s * (top + 2.9112874951168792e-5)) / (bottom + 7.29751555083966205e-5);
  return (gaussian(y) * (ONE_OVER_SQRT_2PI - series)) / y;
}

/** x with P(Z <= x) = p. -Infinity and Infinity at 0 and 1, NaN outside [0, 1]. */
export function normalQuantile(p: f64): f64 {
  if (!(p >= 0 && p <= 1)) return NaN;
  if (p == 0) return -Infinity;
  if (p == 1) return Infinity;
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * quantileCentre(0.180625 - q * q);
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1.0 - p));
  const x = r <= 5 ? quantileShoulder(r - 1.6) : quantileTail(r - 5.0);
  return q < 0 ? -x : x;
}

function quantileCentre(r: f64): f64 {
  const top =
    ((((((2509.0809287301226727 * r + 33430.575583588128105) * r + 67265.770927008700853) * r + 45921.953931549871457) *
      r +
      13731.693765509461125) *
      r +
      1971.5909503065514427) *
      r +
      133.14166789178437745) *
      r +
    3.387132872796366608;
  const bottom =
    ((((((5226.495278852854561 * r + 28729.085735721942674) * r + 39307.89580009271061) * r + 21213.794301586595867) *
      r +
      5394.1960214247511077) *
      r +
      687.1870074920579083) *
      r +
      42.313330701600911252) *
      r +
    1.0;
  return top / bottom;
}

function quantileShoulder(r: f64): f64 {
  const top =
    ((((((7.7454501427834140764e-4 * r + 0.0227238449892691845833) * r + 0.24178072517745061177) * r +
      1.27045825245236838258) *
      r +
      3.64784832476320460504) *
      r +
      5.7694972214606914055) *
      r +
      4.6303378461565452959) *
      r +
    1.42343711074968357734;
  const bottom =
    ((((((1.05075007164441684324e-9 * r + 5.475938084995344946e-4) * r + 0.0151986665636164571966) * r +
      0.14810397642748007459) *
      r +
      0.68976733498510000455) *
      r +
      1.6763848301838038494) *
      r +
      2.05319162663775882187) *
      r +
    1.0;
  return top / bottom;
}

function quantileTail(r: f64): f64 {
  const top =
    ((((((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r + 0.0012426609473880784386) * r +
      0.026532189526576123093) *
      r +
      0.29656057182850489123) *
      r +
      1.7848265399172913358) *
      r +
      5.4637849111641143699) *
      r +
    6.6579046435011037772;
  const bottom =
    ((((((2.04426310338993978564e-15 * r + 1.4215117583164458887e-7) * r + 1.8463183175100546818e-5) * r +
      7.868691311456132591e-4) *
      r +
      0.0148753612908506148525) *
      r +
      0.13692988092273580531) *
      r +
      0.59983220655588793769) *
      r +
    1.0;
  return top / bottom;
}
