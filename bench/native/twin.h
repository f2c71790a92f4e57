// A native twin is a small program that does the engine's work and answers on standard input and output, so that its blocks
// alternate with the engine's in one run (bench/src/native/twin.ts is the other end).
//
//   load NAME BYTES\n<raw bytes>    ->  ok\n
//   define CASE KIND P1 P2 ...\n    ->  ok\n               a case: a kind of work with its parameters
//   run CASE COUNT\n                ->  NANOSECONDS\n      COUNT items, one after the other and round again
//   read CASE ITEM\n                ->  BYTES\n<raw bytes>  the answer for one item
//
// Anything wrong ends the program with one line on standard error and exit code 1.
#ifndef TWIN_H
#define TWIN_H
#include <stddef.h>

#define PARAMS_MAX 8

typedef struct {
  char name[32];
  int kind;
  double params[PARAMS_MAX];
} Case;

typedef struct {
  const void *bytes;
  size_t count;
} Answer;

/** Ends the program. */
void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

// What a twin has to provide.

/** Takes over `bytes` (aligned to 64, zero-padded by 256). */
void twinLoad(const char *name, void *bytes, size_t count);
int twinKind(const char *kind);
int twinItemCount(void);
/** Does the work of one item; the answer stays valid until the next call. */
Answer twinRun(const Case *work, int item);

#endif
