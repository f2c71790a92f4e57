// The engine's indicators in C, same definitions (engine-as/assembly/indicators), in the form that is fastest here:
// the native limit the engine is measured against. Candles before the warm-up are NaN. Long because each indicator has its twin.
#include "blocked.h"
#include "twin.h"
#include <stdlib.h>

#define DAY_MS 86400000.0
#define PLANES 8

typedef struct {
  const double *time, *open, *high, *low, *close, *volume;
} Candles;

static const double *columns;
static int seriesCount, n;
static double *out[PLANES], *scratch[6];

// --- averages ---

#define MARGIN 4
static double tails[1024 + 2 * MARGIN], squareTails[1024 + 2 * MARGIN];

/** t[k] = sum of the last p - k of d (k = 1 .. p - 1), which end before `start`; t[p] = 0. */
static void sumTails(const double *x, int start, int p, double origin, double *t, double *squares) {
  v4 sum = splat4(0), square = splat4(0);
  t[p] = 0;
  if (squares != NULL) squares[p] = 0;
  for (int k = p - 4; k > -3; k -= 4) { // may run past the left end of the block: nothing is read there
    v4 d = start - p + k < 0 ? splat4(0) : load4(x + start - p + k) - origin;
    if (start - p + k < 0)
      for (int lane = 0; lane < 4; lane++) d[lane] = start - p + k + lane < 0 ? 0 : x[start - p + k + lane] - origin;
    v4 whole = runningBack4(d) + sum;
    store4(t + k, whole);
    sum = firstOf4(whole);
    if (squares == NULL) continue;
    v4 wholeSquare = runningBack4(d * d) + square;
    store4(squares + k, wholeSquare);
    square = firstOf4(wholeSquare);
  }
}

/**
 * out[i] = origin + scale * sum(x - origin) over the last p values, without ever subtracting one that leaves: the tail of
 * one block of p and the head of the next, as the engine does it, so that nothing drifts. `isMean` measures from a value
 * inside the window.
 */
static void windowSum(const double *x, int count, int p, int isMean, double *y) {
  double *t = tails + MARGIN, scale = isMean ? 1.0 / p : 1;
  for (int start = 0; start < count; start += p) {
    double origin = isMean ? x[start] : 0;
    if (start > 0) sumTails(x, start, p, origin, t, NULL);
    else memset(t, 0, sizeof(double) * (p + 1));
    v4 sum = splat4(0);
    int end = start + p < count ? start + p : count, i = start;
    for (; i < end && i + 4 <= count; i += 4) {
      v4 head = running4(load4(x + i) - origin) + sum;
      store4(y + i, origin + scale * (load4(t + 1 + i - start) + head));
      sum = lastOf4(head);
    }
    double rest = sum[3];
    for (; i < end; i++) {
      rest += x[i] - origin;
      y[i] = origin + scale * (t[1 + i - start] + rest);
    }
  }
  undefined(y, 0, p - 1 < count ? p - 1 : count);
}

static void sma(const double *x, int p, double *y) { windowSum(x, n, p, 1, y); }

/** y[i] += weight * (x[i] - y[i-1]) from candle `from` on, seeded with the mean of the `p` values before it. */
static void smooth(const double *x, int from, int p, double weight, double *y) {
  double mean = 0;
  for (int i = from - p; i < from; i++) mean += x[i];
  mean /= p;
  undefined(y, 0, from - 1);
  y[from - 1] = mean;
  Decay decay = decayOf(1 - weight);
  v4 means = splat4(mean), w = splat4(weight);
  int i = from;
  for (; i + 4 <= n; i += 4) store4(y + i, means = decay4(decay, w * load4(x + i), means));
  for (mean = means[3]; i < n; i++) y[i] = mean += weight * (x[i] - mean);
}

static void ema(const double *x, int p, double *y) { smooth(x, p, p, 2.0 / (p + 1), y); }

static void macd(const double *x, int fast, int slow, int signal, double *line, double *mean, double *histogram) {
  int warmup = slow + signal - 2;
  smooth(x, slow, fast, 2.0 / (fast + 1), histogram);
  smooth(x, slow, slow, 2.0 / (slow + 1), line);
  for (int i = 0; i < n; i++) line[i] = histogram[i] - line[i];
  smooth(line, warmup + 1, signal, 2.0 / (signal + 1), mean);
  for (int i = 0; i < n; i++) histogram[i] = line[i] - mean[i];
  undefined(line, 0, warmup);
}

// --- momentum ---

static void rsi(const double *x, int p, double *y) {
  double weight = 1.0 / p, gain = 0, move = 0;
  for (int i = 1; i <= p; i++) {
    double change = x[i] - x[i - 1];
    gain += larger(change, 0) * weight;
    move += fabs(change) * weight;
  }
  undefined(y, 0, p);
  y[p] = move > 0 ? 100 * (gain / move) : 50;
  Decay decay = decayOf(1 - weight);
  v4 gains = splat4(gain), all = splat4(move), w = splat4(weight), zero = splat4(0), neutral = splat4(50);
  int i = p + 1;
  for (; i + 4 <= n; i += 4) {
    v4 change = w * (load4(x + i) - load4(x + i - 1));
    v4 up = select4(change > zero, change, zero);
    gains = decay4(decay, up, gains);
    all = decay4(decay, up + up - change, all); // |change|
    store4(y + i, select4(all > zero, 100 * (gains / all), neutral));
  }
  for (gain = gains[3], move = all[3]; i < n; i++) {
    double change = x[i] - x[i - 1];
    gain += weight * (larger(change, 0) - gain);
    move += weight * (fabs(change) - move);
    y[i] = move > 0 ? 100 * (gain / move) : 50;
  }
}

/** One doubling of a window: d[i] is the further of s[i] and s[i - step]. The first `step` are copied. */
static void widen(const double *restrict s, double *restrict d, int count, int step, int isMax) {
  for (int i = 0; i < step && i < count; i++) d[i] = s[i];
  if (isMax)
    for (int i = step; i < count; i++) d[i] = s[i] > s[i - step] ? s[i] : s[i - step];
  else
    for (int i = step; i < count; i++) d[i] = s[i] < s[i - step] ? s[i] : s[i - step];
}

/** Extreme of the last p values, from p - 1 on (before that: of what there is). Windows 1, 2, 4, ... then the rest of p. */
static void extreme(const double *x, int count, int p, int isMax, double *y, double *t) {
  int doublings = 0;
  while (2 << doublings <= p) doublings++;
  const double *from = x;
  double *to = doublings % 2 == 1 ? t : y; // so that the last doubling ends in t and y is free for the result
  int width = 1;
  for (; width * 2 <= p; width *= 2) {
    widen(from, to, count, width, isMax);
    from = to;
    to = to == t ? y : t;
  }
  widen(from, y, count, p - width, isMax);
}

static void donchian(const double *high, const double *low, int p, double *upper, double *lower) {
  extreme(high, n - 1, p, 1, upper + 1, scratch[0]);
  extreme(low, n - 1, p, 0, lower + 1, scratch[0]);
  undefined(upper, 0, p);
  undefined(lower, 0, p);
}

static void middle(const double *high, const double *low, int count, int p, double *y) {
  extreme(high, count, p, 1, y, scratch[0]);
  extreme(low, count, p, 0, scratch[1], scratch[0]);
  for (int i = 0; i < count; i++) y[i] = 0.5 * (y[i] + scratch[1][i]);
  undefined(y, 0, p - 1);
}

static void ichimoku(const Candles *c, int tenkan, int kijun, int span, int displacement) {
  int lag = displacement - 1;
  middle(c->high, c->low, n, tenkan, out[0]);
  middle(c->high, c->low, n, kijun, out[1]);
  for (int i = lag; i < n; i++) out[2][i] = 0.5 * (out[0][i - lag] + out[1][i - lag]);
  middle(c->high, c->low, n - lag, span, out[3] + lag);
  undefined(out[2], 0, lag);
  undefined(out[3], 0, lag);
}

/** Short windows are added anew each time. */
static void meanOfLast(const double *restrict x, int from, int p, double *restrict y) {
  undefined(y, 0, from + p - 1);
  for (int i = from + p - 1; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < p; j++) sum += x[i - j];
    y[i] = sum / p;
  }
}

static void stochrsi(const double *x, int p, int q, int kPeriod, int dPeriod, double *k, double *d) {
  double *strength = scratch[2], *top = scratch[3], *bottom = scratch[4], *place = scratch[5];
  rsi(x, p, strength);
  extreme(strength + p, n - p, q, 1, top + p, scratch[0]);
  extreme(strength + p, n - p, q, 0, bottom + p, scratch[0]);
  int first = p + q - 1;
  for (int i = first; i < n; i++) {
    double range = top[i] - bottom[i];
    place[i] = range > 1e-9 ? 100 * ((strength[i] - bottom[i]) / range) : 50;
  }
  meanOfLast(place, first, kPeriod, k);
  meanOfLast(k, first + kPeriod - 1, dPeriod, d);
}

// --- ranges and trend ---

static void ranges(const Candles *c, double *restrict y) {
  const double *h = c->high, *l = c->low, *x = c->close;
  for (int i = 1; i < n; i++)
    y[i] = (h[i] > x[i - 1] ? h[i] : x[i - 1]) - (l[i] < x[i - 1] ? l[i] : x[i - 1]);
}

static void atr(const Candles *c, int p, double *y) {
  ranges(c, scratch[0]);
  smooth(scratch[0], p + 1, p, 1.0 / p, y);
}

/** Sums of differences and squares to the first value of the block, which is inside the window (see windowSum). */
static void boll(const double *x, int p, double width, double *upper, double *centre, double *lower) {
  double *t = tails + MARGIN, *squares = squareTails + MARGIN, weight = 1.0 / p;
  for (int start = 0; start < n; start += p) {
    double origin = x[start];
    if (start > 0) sumTails(x, start, p, origin, t, squares);
    else memset(t, 0, sizeof(double) * (p + 1)), memset(squares, 0, sizeof(double) * (p + 1));
    int end = start + p < n ? start + p : n;
    v4 sum = splat4(0), square = splat4(0);
    for (int i = start; i < end; i += 4) {
      v4 d = splat4(0);
      if (i + 4 <= n) d = load4(x + i) - origin;
      else
        for (int lane = 0; lane < n - i; lane++) d[lane] = x[i + lane] - origin;
      v4 heads = running4(d) + sum, both = running4(d * d) + square;
      sum = lastOf4(heads);
      square = lastOf4(both);
      v4 total = load4(t + 1 + i - start) + heads, mean = total * weight;
      v4 variance = (load4(squares + 1 + i - start) + both - total * mean) * weight, reach = splat4(0);
      variance = select4(variance > splat4(0), variance, splat4(0));
      for (int lane = 0; lane < 4; lane++) reach[lane] = width * sqrt(variance[lane]);
      v4 middle = origin + mean;
      int room = n - i; // a step past the block is written again by the next one
      storeUpTo4(upper + i, middle + reach, room);
      storeUpTo4(centre + i, middle, room);
      storeUpTo4(lower + i, middle - reach, room);
    }
  }
  undefined(upper, 0, p - 1);
  undefined(centre, 0, p - 1);
  undefined(lower, 0, p - 1);
}

static void adx(const Candles *c, int p, double *line, double *plusDi, double *minusDi) {
  const double *h = c->high, *l = c->low;
  double *range = scratch[0], *ups = scratch[1], *downs = scratch[2];
  ranges(c, range);
  for (int i = 1; i < n; i++) {
    double up = h[i] - h[i - 1], down = l[i - 1] - l[i];
    ups[i] = up > down && up > 0 ? up : 0;
    downs[i] = down > up && down > 0 ? down : 0;
  }
  double weight = 1.0 / p, keep = 1 - weight, r = 0, u = 0, d = 0, mean = 0;
  for (int i = 1; i < p; i++) r += range[i], u += ups[i], d += downs[i];
  undefined(line, 0, 2 * p - 1);
  undefined(plusDi, 0, p);
  undefined(minusDi, 0, p);
  for (int i = p; i < n; i++) {
    r = r * keep + range[i];
    u = u * keep + ups[i];
    d = d * keep + downs[i];
    plusDi[i] = r > 0 ? 100 * (u / r) : 0;
    minusDi[i] = r > 0 ? 100 * (d / r) : 0;
    double dx = u + d > 0 ? 100 * (fabs(u - d) / (u + d)) : 0;
    mean = i < 2 * p ? mean + dx * weight : mean * keep + dx * weight;
    if (i >= 2 * p - 1) line[i] = mean;
  }
}

static void supertrend(const Candles *c, int p, double multiple, double *line, double *direction) {
  double *reach = scratch[1], upper = INFINITY, lower = -INFINITY;
  atr(c, p, reach);
  int isUp = c->close[p] >= 0.5 * (c->high[p] + c->low[p]);
  undefined(line, 0, p);
  undefined(direction, 0, p);
  for (int i = p; i < n; i++) {
    double mid = 0.5 * (c->high[i] + c->low[i]), far = multiple * reach[i], before = c->close[i - 1];
    upper = before > upper ? mid + far : smaller(mid + far, upper);
    lower = before < lower ? mid - far : larger(mid - far, lower);
    isUp = isUp ? c->close[i] >= lower : c->close[i] > upper;
    line[i] = isUp ? lower : upper;
    direction[i] = isUp ? 1 : -1;
  }
}

// --- volume ---

static void typicals(const Candles *c, double *restrict y) {
  for (int i = 0; i < n; i++) y[i] = (c->high[i] + c->low[i] + c->close[i]) / 3;
}

static void sessionVwap(const Candles *c, double *y) {
  double day = NAN, turnover = 0, traded = 0;
  for (int i = 0; i < n; i++) {
    double today = floor(c->time[i] / DAY_MS), price = (c->high[i] + c->low[i] + c->close[i]) / 3;
    if (today != day) turnover = traded = 0;
    day = today;
    turnover += price * c->volume[i];
    traded += c->volume[i];
    y[i] = traded > 0 ? turnover / traded : price;
  }
}

static void rollingVwap(const Candles *c, int p, double *y) {
  double *price = scratch[0], *money = scratch[1], *turnover = scratch[2], *traded = scratch[3];
  typicals(c, price);
  for (int i = 0; i < n; i++) money[i] = price[i] * c->volume[i];
  windowSum(money, n, p, 0, turnover);
  windowSum(c->volume, n, p, 0, traded);
  for (int i = p - 1; i < n; i++) y[i] = traded[i] > 0 ? turnover[i] / traded[i] : price[i];
  undefined(y, 0, p - 1);
}

static void mfi(const Candles *c, int p, double *y) {
  double *price = scratch[0], *rising = scratch[1], *falling = scratch[2], *up = scratch[3], *down = scratch[4];
  typicals(c, price);
  for (int i = 1; i < n; i++) {
    double money = price[i] * c->volume[i];
    rising[i] = price[i] > price[i - 1] ? money : 0;
    falling[i] = price[i] < price[i - 1] ? money : 0;
  }
  windowSum(rising + 1, n - 1, p, 0, up + 1);
  windowSum(falling + 1, n - 1, p, 0, down + 1);
  for (int i = p; i < n; i++) y[i] = up[i] + down[i] > 0 ? 100 * (up[i] / (up[i] + down[i])) : 50;
  undefined(y, 0, p);
}

static void obv(const double *x, const double *volume, double *y) {
  double *restrict step = scratch[0];
  for (int i = 1; i < n; i++) step[i] = x[i] > x[i - 1] ? volume[i] : x[i] < x[i - 1] ? -volume[i] : 0;
  double sum = y[0] = volume[0];
  v4 sums = splat4(sum);
  int i = 1;
  for (; i + 4 <= n; i += 4) store4(y + i, sums = lastOf4(sums) + running4(load4(step + i)));
  for (sum = sums[3]; i < n; i++) y[i] = sum += step[i];
}

static void cci(const Candles *c, int p, double *y) {
  double *price = scratch[0], *means = scratch[1];
  typicals(c, price);
  sma(price, p, means);
  undefined(y, 0, p - 1);
  int i = p - 1;
  for (; i + 4 <= n; i += 4) { // four windows side by side
    v4 mean = load4(means + i), one = splat4(0), two = splat4(0), zero = splat4(0);
    int j = i - p + 1, end = i + 1;
    for (; j + 2 <= end; j += 2) {
      v4 a = load4(price + j) - mean, b = load4(price + j + 1) - mean;
      one += (v4)((m4)a & 0x7fffffffffffffffLL);
      two += (v4)((m4)b & 0x7fffffffffffffffLL);
    }
    if (j < end) one += (v4)((m4)(load4(price + j) - mean) & 0x7fffffffffffffffLL);
    v4 deviation = (one + two) / (double)p;
    store4(y + i, select4(deviation > zero, (load4(price + i) - mean) / (0.015 * deviation), zero));
  }
  for (; i < n; i++) {
    double deviation = 0;
    for (int j = i - p + 1; j <= i; j++) deviation += fabs(price[j] - means[i]);
    deviation /= p;
    y[i] = deviation > 0 ? (price[i] - means[i]) / (0.015 * deviation) : 0;
  }
}

// --- levels ---

static void pivot(const Candles *c) {
  double day = NAN, high = NAN, low = NAN, close = NAN;
  double top = NAN, bottom = NAN, end = NAN;
  int isWhole = 0;
  for (int i = 0; i < n; i++) {
    double today = floor(c->time[i] / DAY_MS);
    if (today != day) {
      if (isWhole) top = high, bottom = low, end = close;
      isWhole = i > 0 || c->time[i] == today * DAY_MS;
      day = today;
      high = c->high[i];
      low = c->low[i];
    }
    high = larger(high, c->high[i]);
    low = smaller(low, c->low[i]);
    close = c->close[i];
    double mid = (top + bottom + end) / 3, range = top - bottom;
    out[0][i] = mid;
    out[1][i] = 2 * mid - bottom;
    out[2][i] = 2 * mid - top;
    out[3][i] = mid + range;
    out[4][i] = mid - range;
    out[5][i] = top + 2 * (mid - bottom);
    out[6][i] = bottom - 2 * (top - mid);
  }
}

static int isSwing(const double *x, int j, int reach, double side) {
  double price = side * x[j];
  for (int k = 1; k <= reach; k++)
    if (side * x[j - k] >= price || side * x[j + k] > price) return 0;
  return 1;
}

static void fib(const Candles *c, int reach) {
  static const double ratios[5] = {0.236, 0.382, 0.5, 0.618, 0.786};
  double top = NAN, bottom = NAN, direction = 0;
  for (int i = 0; i < n; i++) {
    int j = i - reach;
    if (j >= reach && isSwing(c->high, j, reach, 1)) {
      double price = c->high[j];
      if ((isnan(top) || direction <= 0 || price > top) && !(price <= bottom)) top = price, direction = 1;
    }
    if (j >= reach && isSwing(c->low, j, reach, -1)) {
      double price = c->low[j];
      if ((isnan(bottom) || direction >= 0 || price < bottom) && !(price >= top)) bottom = price, direction = -1;
    }
    int isKnown = !isnan(top) && !isnan(bottom);
    double end = direction > 0 ? top : bottom, way = isKnown ? (direction > 0 ? bottom : top) - end : NAN;
    out[0][i] = isKnown ? top : NAN;
    out[1][i] = isKnown ? bottom : NAN;
    out[2][i] = isKnown ? direction : NAN;
    for (int k = 0; k < 5; k++) out[3 + k][i] = end + ratios[k] * way;
  }
}

// --- the twin's protocol ---

static const struct {
  const char *name;
  int planes;
} kinds[] = {
    {"sma", 1}, {"ema", 1}, {"rsi", 1}, {"macd", 3}, {"boll", 3}, {"atr", 1}, {"adx", 3}, {"supertrend", 2}, {"vwap", 1},
    {"mfi", 1}, {"obv", 1}, {"cci", 1}, {"donchian", 2}, {"ichimoku", 4}, {"stochrsi", 2}, {"pivot", 7}, {"fib", 8},
};
/** Indices of `kinds`. */
enum {
  SMA, EMA, RSI, MACD, BOLL, ATR, ADX, SUPERTREND, VWAP,
  MFI, OBV, CCI, DONCHIAN, ICHIMOKU, STOCHRSI, PIVOT, FIB, KINDS
};

/** `candles`: f64, the length n first, then six columns of n for each series. */
void twinLoad(const char *name, void *bytes, size_t count) {
  if (strcmp(name, "candles") != 0) die("cannot load %s", name);
  columns = (const double *)bytes + 1;
  n = (int)((const double *)bytes)[0];
  seriesCount = (int)((count / sizeof(double) - 1) / (6 * (size_t)n));
  double *room = malloc(sizeof(double) * (PLANES + 6) * (size_t)(n + 64));
  if (room == NULL) die("no memory");
  for (int k = 0; k < PLANES; k++) out[k] = room + (size_t)k * n; // adjoining, so that an answer is one block
  for (int k = 0; k < 6; k++) scratch[k] = room + (size_t)PLANES * n + (size_t)k * (n + 64);
}

int twinKind(const char *kind) {
  for (int i = 0; i < KINDS; i++)
    if (strcmp(kinds[i].name, kind) == 0) return i;
  die("no kind \"%s\"", kind);
}

int twinItemCount(void) { return seriesCount; }

static void runKind(int kind, const double *p, const Candles *c) {
  int period = (int)p[0];
  switch (kind) {
  case SMA: return sma(c->close, period, out[0]);
  case EMA: return ema(c->close, period, out[0]);
  case RSI: return rsi(c->close, period, out[0]);
  case MACD: return macd(c->close, period, (int)p[1], (int)p[2], out[0], out[1], out[2]);
  case BOLL: return boll(c->close, period, p[1], out[0], out[1], out[2]);
  case ATR: return atr(c, period, out[0]);
  case ADX: return adx(c, period, out[0], out[1], out[2]);
  case SUPERTREND: return supertrend(c, period, p[1], out[0], out[1]);
  case VWAP: return period == 0 ? sessionVwap(c, out[0]) : rollingVwap(c, period, out[0]);
  case MFI: return mfi(c, period, out[0]);
  case OBV: return obv(c->close, c->volume, out[0]);
  case CCI: return cci(c, period, out[0]);
  case DONCHIAN: return donchian(c->high, c->low, period, out[0], out[1]);
  case ICHIMOKU: return ichimoku(c, period, (int)p[1], (int)p[2], (int)p[3]);
  case STOCHRSI: return stochrsi(c->close, period, (int)p[1], (int)p[2], (int)p[3], out[0], out[1]);
  case PIVOT: return pivot(c);
  case FIB: return fib(c, period);
  }
}

Answer twinRun(const Case *work, int item) {
  const double *first = columns + (size_t)item * 6 * n;
  Candles candles = {first, first + n, first + 2 * n, first + 3 * n, first + 4 * n, first + 5 * n};
  runKind(work->kind, work->params, &candles);
  return (Answer){out[0], sizeof(double) * kinds[work->kind].planes * n};
}
