// Pairs of crossing averages as anyone would write it in C: walk the candles, compare, step the position. The averages are given.
#include "optimizer.h"
#include "twin.h"
#include <stdlib.h>
#include <string.h>

#define COLUMNS 7

static int candleCount, pairCount, pieceCount, slowCount;
static Exits exits;
static Market market;
static const double *fastAverages, *slowAverages;
static double *results;

static void *take(size_t bytes) {
  void *room = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
  if (room == NULL) die("no memory for %zu bytes", bytes);
  return room;
}

typedef struct {
  Position position;
  Totals totals;
  int entry, isHeld, isLeaving;
} Account;

/** Exit at the open of a position that is due to leave: levels that the open meets come first. */
static Reason leftAt(const Position *p, const Bar *bar, double *price) {
  double s = p->side, open = s * bar->open;
  *price = bar->open;
  if (open <= s * p->liquidation) {
    *price = p->fill - s * (p->margin / p->quantity);
    return LIQUIDATION;
  }
  if (open <= s * p->stop) return STOP_LOSS;
  return open >= s * p->target ? TAKE_PROFIT : END;
}

static void step(Account *a, int i) {
  const Bar *bar = &market.bars[i];
  Position *p = &a->position;
  if (i > a->entry) p->funding += p->side * p->quantity * bar->fundingAtOpen;
  double price = bar->close;
  Reason reason = NONE;
  if (bar->volume > 0) reason = a->isLeaving ? leftAt(p, bar, &price) : closedBy(p, bar, &price);
  if (reason == NONE) {
    completeBar(p, &exits, bar);
    if (i < market.count - 1) return;
    reason = END;
    price = bar->close;
  }
  settle(&a->totals, &market.costs, p, reason, price, 0);
  a->isHeld = 0;
}

/** Long where `fast` crosses above `slow`, short where it crosses below; the opposite one reverses. */
static void runPair(const double *fast, const double *slow, double *result) {
  Account a = {.totals = noTrades(&market.costs)};
  double pending = 0;
  for (int i = 0; i < market.count; i++) {
    const Bar *bar = &market.bars[i];
    int wasHeld = a.isHeld;
    if (pending != 0) {
      if (wasHeld && bar->volume > 0) step(&a, i);
      if (bar->volume > 0 && !isRuined(&a.totals)) {
        Position opened = openAt(&market.costs, &exits, &a.totals, bar->open, pending);
        if (opened.quantity > 0) a = (Account){.position = opened, .totals = a.totals, .entry = i, .isHeld = 1};
      }
    }
    if (wasHeld || a.isHeld) a.totals.held++;
    if (a.isHeld) step(&a, i);
    pending = 0;
    if (i == 0 || isRuined(&a.totals)) continue;
    int isLong = fast[i] > slow[i] && fast[i - 1] <= slow[i - 1], isShort = fast[i] < slow[i] && fast[i - 1] >= slow[i - 1];
    if (isLong == isShort) continue;
    double side = isLong ? 1 : -1;
    if (a.isHeld && side == a.position.side) continue;
    a.isLeaving = a.isHeld;
    pending = side;
  }
  writeResult(&a.totals, result);
}

/** `shape`: candles, pairs of a piece, pieces, slow averages, stop, target, then the costs, f64. */
static void loadShape(const double *shape) {
  candleCount = (int)shape[0];
  pairCount = (int)shape[1];
  pieceCount = (int)shape[2];
  slowCount = (int)shape[3];
  exits = (Exits){.stopLoss = shape[4], .takeProfit = shape[5]};
  memcpy(&market.costs, shape + 6, sizeof market.costs);
  market.count = candleCount;
  results = take(sizeof(double) * RESULT_LENGTH * pairCount);
}

void twinLoad(const char *name, void *bytes, size_t count) {
  (void)count;
  if (strcmp(name, "shape") == 0) loadShape(bytes);
  else if (strcmp(name, "bars") == 0) {
    market.bars = take(sizeof(Bar) * candleCount);
    for (int i = 0; i < candleCount; i++)
      for (int k = 0; k < COLUMNS; k++) ((double *)&market.bars[i])[k] = ((const double *)bytes)[k * candleCount + i];
  } else if (strcmp(name, "fast") == 0) fastAverages = bytes;
  else if (strcmp(name, "slow") == 0) slowAverages = bytes;
  else die("cannot load %s", name);
}

int twinKind(const char *kind) {
  if (strcmp(kind, "plain") == 0) return 0;
  die("no kind \"%s\"", kind);
}

int twinItemCount(void) { return pieceCount; }

Answer twinRun(const Case *work, int item) {
  (void)work;
  for (int k = 0; k < pairCount; k++) {
    int pair = item * pairCount + k;
    const double *fast = fastAverages + (size_t)(pair / slowCount) * candleCount;
    const double *slow = slowAverages + (size_t)(pair % slowCount) * candleCount;
    runPair(fast, slow, results + (size_t)k * RESULT_LENGTH);
  }
  return (Answer){results, sizeof(double) * RESULT_LENGTH * pairCount};
}
