// The engine's design (docs/optimiser.md) with AVX2: scores by table, thirty-two candles at a time, only while flat; exits by
// search over quantised highs and lows, each hit checked exactly.
#include "optimizer.h"
#include <immintrin.h>
#include <string.h>

/** Largest threshold for which saturated sums still compare right: 128 - 20 of the unpaired vote - 1. */
#define NARROW_MAX 107
#define STEPS_MAX 32766.0
#define SAFETY 1e-9

static inline int stepsOf(const Market *m, double price) {
  double steps = (price - m->middle) * m->stepsPerUnit;
  steps = steps > -STEPS_MAX ? steps : -STEPS_MAX; // NaN becomes the bound: there is no such level
  steps = steps < STEPS_MAX ? steps : STEPS_MAX;
  return (int)nearbyint(steps);
}

void prepareFast(Market *m) {
  double lowest = INFINITY, highest = -INFINITY;
  for (int i = 0; i < m->count; i++) {
    lowest = fmin(lowest, m->bars[i].low);
    highest = fmax(highest, m->bars[i].high);
  }
  m->middle = lowest + (highest - lowest) * 0.5;
  m->stepsPerUnit = highest > lowest ? (STEPS_MAX - 1) / ((highest - lowest) * 0.5) : 1;
  memset(m->states, 4, (size_t)PAIRS * m->stride);
  for (int i = 0; i < m->stride; i++) {
    int isBar = i < m->count;
    int trades = isBar && m->bars[i].volume > 0;
    // Padding is touched by every level, which ends a search; a bar without volume by none.
    m->lows[i] = trades ? stepsOf(m, m->bars[i].low) : isBar ? 32767 : -32768;
    m->highs[i] = trades ? stepsOf(m, m->bars[i].high) : isBar ? -32768 : 32767;
    if (!isBar) continue;
    const int8_t *votes = m->votes + i * VOTES;
    for (int pair = 0; pair < PAIRS; pair++) {
      int second = 2 * pair + 1 < VOTES ? votes[2 * pair + 1] : 0;
      m->states[pair * m->stride + i] = (uint8_t)((votes[2 * pair] + 1) * 3 + second + 1);
    }
  }
  m->nextFunding[m->count] = m->count;
  for (int i = m->count - 1; i >= 0; i--) {
    int has = m->bars[i].fundingAtOpen != 0 || m->bars[i].fundingInside != 0;
    m->nextFunding[i] = has ? i : m->nextFunding[i + 1];
  }
}

/** Score contribution of two weights in each of their nine states. */
static inline __m256i tableOf(int first, int second) {
  const __m128i a = _mm_setr_epi8(-1, -1, -1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0);
  const __m128i b = _mm_setr_epi8(-1, 0, 1, -1, 0, 1, -1, 0, 1, 0, 0, 0, 0, 0, 0, 0);
  __m128i sum = _mm_add_epi8(_mm_sign_epi8(_mm_set1_epi8(first), a), _mm_sign_epi8(_mm_set1_epi8(second), b));
  return _mm256_broadcastsi128_si256(sum);
}

static inline __m256i pick(__m256i table, const uint8_t *states) {
  return _mm256_shuffle_epi8(table, _mm256_loadu_si256((const __m256i *)states));
}

static inline uint32_t maskOf(__m256i lanes) { return (uint32_t)_mm256_movemask_epi8(lanes); }

static inline uint32_t joined(__m256i low, __m256i high) {
  return maskOf(_mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xD8));
}

static inline __m256i lowHalf(__m256i bytes) { return _mm256_cvtepi8_epi16(_mm256_castsi256_si128(bytes)); }
static inline __m256i highHalf(__m256i bytes) { return _mm256_cvtepi8_epi16(_mm256_extracti128_si256(bytes, 1)); }

/** First bar in [from, end) that signals, and its side; `end` when there is none. */
static inline __attribute__((always_inline)) int nextSignal(
    const Market *m, const __m256i t[PAIRS], int from, int end, int least, double *side, const int isNarrow) {
  const size_t stride = m->stride;
  const __m256i over = isNarrow ? _mm256_set1_epi8(least - 1) : _mm256_set1_epi16(least - 1);
  const __m256i under = isNarrow ? _mm256_set1_epi8(1 - least) : _mm256_set1_epi16(1 - least);
  for (int bar = from; bar < end; bar += 32) {
    const uint8_t *s = m->states + bar;
    __m256i a = _mm256_add_epi8(_mm256_add_epi8(pick(t[0], s), pick(t[1], s + stride)), pick(t[2], s + 2 * stride));
    __m256i b = _mm256_add_epi8(
        _mm256_add_epi8(pick(t[3], s + 3 * stride), pick(t[4], s + 4 * stride)), pick(t[5], s + 5 * stride));
    __m256i c = pick(t[6], s + 6 * stride);
    uint32_t longs, shorts;
    if (isNarrow) {
      __m256i sum = _mm256_adds_epi8(_mm256_adds_epi8(a, b), c);
      longs = maskOf(_mm256_cmpgt_epi8(sum, over));
      shorts = maskOf(_mm256_cmpgt_epi8(under, sum));
    } else {
      __m256i low = _mm256_add_epi16(_mm256_add_epi16(lowHalf(a), lowHalf(b)), lowHalf(c));
      __m256i high = _mm256_add_epi16(_mm256_add_epi16(highHalf(a), highHalf(b)), highHalf(c));
      longs = joined(_mm256_cmpgt_epi16(low, over), _mm256_cmpgt_epi16(high, over));
      shorts = joined(_mm256_cmpgt_epi16(under, low), _mm256_cmpgt_epi16(under, high));
    }
    uint32_t mask = longs | shorts;
    if (mask == 0) continue;
    int lane = __builtin_ctz(mask);
    *side = (longs >> lane) & 1 ? 1 : -1;
    return bar + lane < end ? bar + lane : end;
  }
  return end;
}

/** First bar from `from` on whose low is at most `low` or high at least `high`, in steps; the padding always is. */
static inline int nextTouch(const Market *m, int from, int low, int high) {
  const __m256i below = _mm256_set1_epi16(low + 1), above = _mm256_set1_epi16(high - 1);
  for (int bar = from;; bar += 32) {
    const __m256i *l = (const __m256i *)(m->lows + bar), *h = (const __m256i *)(m->highs + bar);
    __m256i a = _mm256_or_si256(
        _mm256_cmpgt_epi16(below, _mm256_loadu_si256(l)), _mm256_cmpgt_epi16(_mm256_loadu_si256(h), above));
    __m256i b = _mm256_or_si256(
        _mm256_cmpgt_epi16(below, _mm256_loadu_si256(l + 1)), _mm256_cmpgt_epi16(_mm256_loadu_si256(h + 1), above));
    uint32_t mask = joined(a, b);
    if (mask != 0) return bar + __builtin_ctz(mask);
  }
}

/** The next bar in which the position may be closed or its stop moved. */
static inline int nextEvent(const Market *m, const Position *p, const Exits *e, int from, const int isTrailing) {
  double s = p->side, good = p->target;
  double bad = s * p->liquidation > s * p->stop ? p->liquidation : p->stop;
  if (isTrailing) {
    double moves = (p->stop + s * (e->step * p->fill - SAFETY * p->fill)) / (1 - s * e->callback);
    double active = p->fill - s * SAFETY * p->fill;
    if (s * moves <= s * active) moves = active;
    if (s * moves < s * good) good = moves;
  }
  int first = stepsOf(m, bad), second = stepsOf(m, good);
  return s > 0 ? nextTouch(m, from, first, second) : nextTouch(m, from, second, first);
}

static inline void chargeFundings(const Market *m, Position *p, int from, int to) {
  double size = p->side * p->quantity;
  for (int i = m->nextFunding[from]; i < to; i = m->nextFunding[i + 1]) {
    p->funding += size * m->bars[i].fundingAtOpen;
    p->funding += size * m->bars[i].fundingInside;
  }
}

static inline __attribute__((always_inline)) void run(
    const Market *m, const __m256i tables[PAIRS], int first, int least, const Exits *e, double *result,
    const int isNarrow, const int isTrailing) {
  Totals totals = noTrades(&m->costs);
  int last = m->count - 1;
  for (int bar = first; bar < last;) {
    double side = 1, price;
    int entry = nextSignal(m, tables, bar, last, least, &side, isNarrow) + 1;
    if (entry > last) break;
    bar = entry;
    if (!(m->bars[entry].volume > 0)) continue;
    Position position = openAt(&m->costs, e, &totals, m->bars[entry].open, side);
    if (!(position.quantity > 0)) continue;
    Reason reason = END;
    for (;;) {
      const Bar *at = &m->bars[bar];
      if (bar > entry) position.funding += side * position.quantity * at->fundingAtOpen;
      Reason found = at->volume > 0 ? closedBy(&position, at, &price) : NONE;
      if (found != NONE) {
        reason = found;
        break;
      }
      completeBar(&position, e, at);
      price = at->close;
      if (bar == last) break;
      int next = nextEvent(m, &position, e, bar + 1, isTrailing);
      if (next > last) next = last;
      chargeFundings(m, &position, bar + 1, next);
      bar = next;
    }
    settle(&totals, &m->costs, &position, reason, price, bar - entry + 1);
    if (isRuined(&totals)) break;
  }
  writeResult(&totals, result);
}

void runFast(const Market *m, const int *weights, double threshold, const Exits *e, double *result) {
  __m256i tables[PAIRS];
  int sum = 0, first = 0;
  for (int k = 0; k < VOTES; k++) {
    sum += weights[k];
    if (weights[k] > 0 && m->first[k] > first) first = m->first[k];
  }
  if (sum == 0) {
    Totals none = noTrades(&m->costs);
    writeResult(&none, result);
    return;
  }
  for (int pair = 0; pair < PAIRS; pair++)
    tables[pair] = tableOf(weights[2 * pair], 2 * pair + 1 < VOTES ? weights[2 * pair + 1] : 0);
  int least = leastTenths(threshold, sum), isNarrow = least <= NARROW_MAX;
  if (e->isTrailing && isNarrow) run(m, tables, first, least, e, result, 1, 1);
  else if (e->isTrailing) run(m, tables, first, least, e, result, 0, 1);
  else if (isNarrow) run(m, tables, first, least, e, result, 1, 0);
  else run(m, tables, first, least, e, result, 0, 0);
}
