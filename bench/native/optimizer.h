// What the two native optimisers share: the market, the trade and docs/simulator.md's rules for one bar. Both must give the
// engine's results to the bit, so this is compiled with -ffp-contract=off.
#ifndef OPTIMIZER_H
#define OPTIMIZER_H
#include <math.h>
#include <stdint.h>

#define VOTES 13
#define PAIRS 7
#define SET_LENGTH 19
#define RESULT_LENGTH 9
/** Share of a figure that is rounding noise. */
#define NOISE 1e-9

/** One candle with its fundings; a cache line. */
typedef struct {
  double open, high, low, close, volume, fundingAtOpen, fundingInside, unused;
} Bar;

typedef struct {
  double takerFee, slippage, stopSlippage, notional, leverage, maintenance, initialEquity;
} Costs;

typedef struct {
  int count, stride;
  const int8_t *votes; // VOTES of candle 0, then of candle 1, ...
  const int32_t *first; // first defined candle of each vote
  Costs costs;
  Bar *bars;
  int32_t *nextFunding; // first bar at or after this one with a funding
  uint8_t *states; // PAIRS rows of `stride`: two votes as one of nine states
  int16_t *lows, *highs; // steps from the middle price
  double middle, stepsPerUnit;
} Market;

typedef struct {
  double stopLoss, takeProfit, callback, step;
  int isTrailing;
} Exits;

typedef struct {
  double side, fill, quantity, margin, liquidation, stop, target, best, funding;
  int isAmbiguous;
} Position;

typedef enum { NONE, TAKE_PROFIT, STOP_LOSS, LIQUIDATION, END } Reason;

typedef struct {
  double net, gain, loss, peak, drawdown, ambiguous, turnover, initialEquity;
  int trades, wins, held;
} Totals;

/** Margin and entry fee of a notional. */
static inline double needOf(const Costs *c, double notional) { return notional / c->leverage + c->takerFee * notional; }

/** The set notional, or what the account covers with margin and entry fee; 0 when only rounding noise is left. */
static inline double coveredQuantity(const Costs *c, double fill, double available) {
  double wanted = c->notional / fill;
  if (needOf(c, wanted * fill) <= available * (1 + NOISE)) return wanted;
  double quantity = available / needOf(c, fill);
  return quantity * fill > NOISE * c->notional ? quantity : 0;
}

/** A quantity of 0 when the account covers none. */
static inline Position openAt(const Costs *c, const Exits *e, const Totals *t, double price, double side) {
  double fill = price * (1 + side * c->slippage), quantity = coveredQuantity(c, fill, t->initialEquity + t->net);
  double margin = quantity * fill / c->leverage;
  return (Position){
      .side = side,
      .fill = fill,
      .quantity = quantity,
      .margin = margin,
      .liquidation =
          margin < quantity * fill || side < 0 ? (margin - side * quantity * fill) / (quantity * (c->maintenance - side)) : NAN,
      .stop = fill * (1 - side * e->stopLoss),
      .target = fill * (1 + side * e->takeProfit),
      .best = fill,
  };
}

static inline int isRuined(const Totals *t) { return !(t->initialEquity + t->net > 0); }

/** Exit reason of the bar and its price before slippage; the loss level comes first when the bar holds both. */
static inline Reason closedBy(Position *p, const Bar *bar, double *price) {
  double s = p->side, open = s * bar->open, stop = s * p->stop, target = s * p->target, liquidation = s * p->liquidation;
  *price = bar->open;
  if (open <= liquidation) {
    *price = p->fill - s * (p->margin / p->quantity);
    return LIQUIDATION;
  }
  if (open <= stop) return STOP_LOSS;
  if (open >= target) return TAKE_PROFIT;
  double good = s * (s > 0 ? bar->high : bar->low), bad = s * (s > 0 ? bar->low : bar->high);
  int isStopped = bad <= stop, isLiquidated = bad <= liquidation;
  if (good >= target) {
    *price = p->target;
    if (!isStopped && !isLiquidated) return TAKE_PROFIT;
    p->isAmbiguous = 1;
  }
  if (isLiquidated && !(isStopped && stop > liquidation)) {
    *price = p->fill - s * (p->margin / p->quantity);
    return LIQUIDATION;
  }
  *price = p->stop;
  return isStopped ? STOP_LOSS : NONE;
}

/** A completed bar: funding inside it, the best price, the trailing stop. */
static inline void completeBar(Position *p, const Exits *e, const Bar *bar) {
  double s = p->side;
  p->funding += s * p->quantity * bar->fundingInside;
  if (!(bar->volume > 0)) return;
  double good = s > 0 ? bar->high : bar->low;
  if (s * good > s * p->best) p->best = good;
  if (!e->isTrailing) return;
  double candidate = p->best * (1 - s * e->callback), gain = s * (candidate - p->stop);
  if (gain > 0 && gain >= e->step * p->fill) p->stop = candidate;
}

static inline Totals noTrades(const Costs *c) { return (Totals){.peak = c->initialEquity, .initialEquity = c->initialEquity}; }

/** Fills the exit and books the trade; a fill that would lose more than the margin is a liquidation. */
static inline void settle(Totals *t, const Costs *c, const Position *p, Reason reason, double price, int heldBars) {
  double slippage = reason == STOP_LOSS ? c->stopSlippage : c->slippage;
  double slipped = price * (1 - p->side * slippage), bankruptcy = p->fill - p->side * (p->margin / p->quantity);
  int isLost = reason == LIQUIDATION || p->side * (bankruptcy - slipped) > NOISE * p->fill;
  double exit = isLost ? bankruptcy : slipped;
  double exitFee = isLost ? 0 : c->takerFee;
  double fees = c->takerFee * (p->quantity * p->fill) + exitFee * (p->quantity * exit);
  double net = (exit - p->fill) * p->side * p->quantity - fees - p->funding;
  t->net += net;
  t->trades++;
  t->held += heldBars;
  if (net > 0) {
    t->wins++;
    t->gain += net;
  } else {
    t->loss -= net;
  }
  double realised = t->initialEquity + t->net;
  if (realised > t->peak) t->peak = realised;
  else if (t->peak - realised > t->drawdown * t->peak) t->drawdown = (t->peak - realised) / t->peak;
  t->ambiguous += p->isAmbiguous;
  t->turnover += p->quantity * (p->fill + exit);
}

static inline void writeResult(const Totals *t, double *result) {
  const double row[RESULT_LENGTH] = {t->net,      t->trades,    t->wins,     t->gain, t->loss,
                                     t->drawdown, t->ambiguous, t->turnover, t->held};
  for (int i = 0; i < RESULT_LENGTH; i++) result[i] = row[i];
}

/** Least whole tenths whose share of `sum` reaches the threshold, to the last bit of the division. */
static inline int leastTenths(double threshold, int sum) {
  int least = (int)ceil(threshold * sum);
  while (least > 1 && (double)(least - 1) / sum >= threshold) least--;
  while (least < 1 || (double)least / sum < threshold) least++;
  return least;
}

void prepareFast(Market *market);
void runPlain(const Market *market, const int *weights, double threshold, const Exits *exits, double *result);
void runFast(const Market *market, const int *weights, double threshold, const Exits *exits, double *result);

#endif
