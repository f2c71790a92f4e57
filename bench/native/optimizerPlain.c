// The optimiser as anyone would write it in C: walk the candles, score while flat, step while in a position.
#include "optimizer.h"

void runPlain(const Market *m, const int *weights, double threshold, const Exits *exits, double *result) {
  Totals totals = noTrades(&m->costs);
  int sum = 0, first = 0, last = m->count - 1;
  for (int k = 0; k < VOTES; k++) {
    sum += weights[k];
    if (weights[k] > 0 && m->first[k] > first) first = m->first[k];
  }
  int least = sum > 0 ? leastTenths(threshold, sum) : 1 << 20;
  for (int i = first; i < last; i++) {
    int score = 0;
    for (int k = 0; k < VOTES; k++) score += weights[k] * m->votes[i * VOTES + k];
    if ((score < least && score > -least) || !(m->bars[i + 1].volume > 0)) continue;
    int entry = i + 1, j = entry;
    Position position = openAt(&m->costs, exits, &totals, m->bars[entry].open, score > 0 ? 1 : -1);
    if (!(position.quantity > 0)) continue;
    Reason reason = END;
    double price;
    for (;; j++) {
      const Bar *bar = &m->bars[j];
      if (j > entry) position.funding += position.side * position.quantity * bar->fundingAtOpen;
      Reason found = bar->volume > 0 ? closedBy(&position, bar, &price) : NONE;
      if (found != NONE) {
        reason = found;
        break;
      }
      completeBar(&position, exits, bar);
      price = bar->close;
      if (j == last) break;
    }
    settle(&totals, &m->costs, &position, reason, price, j - entry + 1);
    if (isRuined(&totals)) break;
    i = j - 1; // the close of the exit's candle may signal again
  }
  writeResult(&totals, result);
}
