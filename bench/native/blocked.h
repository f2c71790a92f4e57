// Four f64 at a time with the compiler's own vector types, so that it is the same source on every machine.
#ifndef BLOCKED_H
#define BLOCKED_H
#include <math.h>
#include <string.h>

typedef double v4 __attribute__((vector_size(32)));
typedef long long m4 __attribute__((vector_size(32)));

static inline v4 load4(const double *at) {
  v4 value;
  memcpy(&value, at, sizeof value);
  return value;
}

static inline void store4(double *at, v4 value) { memcpy(at, &value, sizeof value); }

static inline void storeUpTo4(double *at, v4 value, int room) {
  if (room >= 4) store4(at, value);
  else memcpy(at, &value, sizeof(double) * room);
}

static inline v4 splat4(double value) { return (v4){value, value, value, value}; }

static inline v4 lastOf4(v4 value) { return __builtin_shuffle(value, (m4){3, 3, 3, 3}); }

/** Lanes moved right by one and by two, zeros coming in. */
static inline v4 shift1(v4 value) { return __builtin_shuffle(splat4(0), value, (m4){0, 4, 5, 6}); }
static inline v4 shift2(v4 value) { return __builtin_shuffle(splat4(0), value, (m4){0, 1, 4, 5}); }

static inline v4 select4(m4 mask, v4 yes, v4 no) { return (v4)((mask & (m4)yes) | (~mask & (m4)no)); }

/** Running sum of the four lanes. */
static inline v4 running4(v4 value) {
  value += shift1(value);
  return value + shift2(value);
}

static inline v4 firstOf4(v4 value) { return __builtin_shuffle(value, (m4){0, 0, 0, 0}); }

/** Running sum from the right. */
static inline v4 runningBack4(v4 value) {
  value += __builtin_shuffle(splat4(0), value, (m4){5, 6, 7, 0});
  return value + __builtin_shuffle(splat4(0), value, (m4){6, 7, 0, 0});
}

/** y = keep * y + x for four steps at once: what the four inputs contribute, and the powers that carry the state. */
typedef struct {
  v4 one, two, carry;
} Decay;

static inline Decay decayOf(double keep) {
  double k2 = keep * keep;
  return (Decay){{0, keep, keep, keep}, {0, 0, k2, k2}, {keep, k2, k2 * keep, k2 * k2}};
}

static inline v4 decay4(Decay d, v4 input, v4 state) {
  input += d.one * shift1(input);
  input += d.two * shift2(input);
  return d.carry * lastOf4(state) + input;
}

static inline double larger(double a, double b) { return a > b ? a : b; }
static inline double smaller(double a, double b) { return a < b ? a : b; }

static inline void undefined(double *out, int from, int to) {
  for (int i = from; i < to; i++) out[i] = NAN;
}

#endif
