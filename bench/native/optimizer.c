// The protocol side of the native optimisers (twin.h): one item is a piece of the sets of a case on one symbol.
#include "optimizer.h"
#include "twin.h"
#include <stdlib.h>
#include <string.h>

#define SYMBOLS_MAX 64
#define CASES 8
#define COLUMNS 7
#define PADDING 128

static Market markets[SYMBOLS_MAX];
static int symbolCount, candleCount, setCount, pieceCount;
static Costs costs;
static const double *sets[CASES];
static double *results;

static void *take(size_t bytes) {
  void *room = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
  if (room == NULL) die("no memory for %zu bytes", bytes);
  return room;
}

/** `shape`: symbols, candles, sets of a piece, pieces of a symbol, then the costs, f64. */
static void loadShape(const double *shape) {
  symbolCount = (int)shape[0];
  candleCount = (int)shape[1];
  setCount = (int)shape[2];
  pieceCount = (int)shape[3];
  if (symbolCount > SYMBOLS_MAX) die("more than %d symbols", SYMBOLS_MAX);
  memcpy(&costs, shape + 4, sizeof costs);
  results = take(sizeof(double) * RESULT_LENGTH * setCount);
}

/** `bars`: for each symbol open, high, low, close, volume, funding at the open, funding inside, f64[candles] each. */
static void loadBars(const double *columns) {
  for (int symbol = 0; symbol < symbolCount; symbol++) {
    Market *m = &markets[symbol];
    const double *column = columns + (size_t)symbol * COLUMNS * candleCount;
    m->count = candleCount;
    m->stride = (candleCount + PADDING + 63) & ~63;
    m->costs = costs;
    m->bars = take(sizeof(Bar) * candleCount);
    m->nextFunding = take(sizeof(int32_t) * (candleCount + 1));
    m->states = take((size_t)PAIRS * m->stride + PADDING);
    m->lows = take(sizeof(int16_t) * (m->stride + PADDING));
    m->highs = take(sizeof(int16_t) * (m->stride + PADDING));
    for (int i = 0; i < candleCount; i++)
      for (int k = 0; k < COLUMNS; k++) ((double *)&m->bars[i])[k] = column[k * candleCount + i];
  }
}

/** `sets0`, `sets1`, ...: f64[SET_LENGTH] for each set of each piece of each symbol; a case names its number. */
void twinLoad(const char *name, void *bytes, size_t count) {
  (void)count;
  if (strcmp(name, "shape") == 0) return loadShape(bytes);
  if (strcmp(name, "bars") == 0) return loadBars(bytes);
  if (strncmp(name, "sets", 4) == 0 && atoi(name + 4) < CASES) {
    sets[atoi(name + 4)] = bytes;
    return;
  }
  for (int symbol = 0; symbol < symbolCount; symbol++) {
    if (strcmp(name, "first") == 0) markets[symbol].first = (const int32_t *)bytes + symbol * VOTES;
    else if (strcmp(name, "votes") == 0) {
      markets[symbol].votes = (const int8_t *)bytes + (size_t)symbol * candleCount * VOTES;
      prepareFast(&markets[symbol]);
    } else die("cannot load %s", name);
  }
}

enum { FAST, PLAIN };

int twinKind(const char *kind) {
  if (strcmp(kind, "fast") == 0) return FAST;
  if (strcmp(kind, "plain") == 0) return PLAIN;
  die("no kind \"%s\"", kind);
}

int twinItemCount(void) { return symbolCount * pieceCount; }

Answer twinRun(const Case *work, int item) {
  const Market *market = &markets[item / pieceCount];
  const double *set = sets[(int)work->params[0]] + (size_t)item * setCount * SET_LENGTH;
  for (int k = 0; k < setCount; k++, set += SET_LENGTH) {
    int weights[VOTES];
    for (int vote = 0; vote < VOTES; vote++) weights[vote] = (int)set[vote];
    Exits exits = {.stopLoss = set[14], .takeProfit = set[15], .isTrailing = set[16] > 0, .callback = set[17], .step = set[18]};
    double *result = results + (size_t)k * RESULT_LENGTH;
    if (work->kind == FAST) runFast(market, weights, set[13], &exits, result);
    else runPlain(market, weights, set[13], &exits, result);
  }
  return (Answer){results, sizeof(double) * RESULT_LENGTH * setCount};
}
