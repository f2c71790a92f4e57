#include "twin.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CASES_MAX 128
#define PADDING 256

static Case cases[CASES_MAX];
static int caseCount = 0;

void die(const char *format, ...) {
  va_list values;
  va_start(values, format);
  vfprintf(stderr, format, values);
  va_end(values);
  fputc('\n', stderr);
  exit(1);
}

static int64_t nowNs(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static const Case *findCase(const char *name) {
  for (int i = 0; i < caseCount; i++)
    if (strcmp(cases[i].name, name) == 0) return &cases[i];
  die("no case \"%s\"", name);
}

static void load(const char *name, size_t count) {
  size_t room = (count + PADDING + 63) & ~(size_t)63;
  void *bytes = aligned_alloc(64, room);
  if (bytes == NULL) die("no memory for %zu bytes", count);
  memset((char *)bytes + count, 0, room - count);
  if (fread(bytes, 1, count, stdin) != count) die("%s ended early", name);
  twinLoad(name, bytes, count);
  puts("ok");
}

static void define(const char *name, const char *kind, const char *params) {
  if (caseCount == CASES_MAX) die("more than %d cases", CASES_MAX);
  Case *work = &cases[caseCount++];
  snprintf(work->name, sizeof work->name, "%s", name);
  work->kind = twinKind(kind);
  char *end;
  for (int i = 0; i < PARAMS_MAX; i++, params = end) {
    work->params[i] = strtod(params, &end);
    if (end == params) break;
  }
  puts("ok");
}

static void run(const Case *work, int64_t count) {
  static int item = 0;
  int items = twinItemCount();
  int64_t start = nowNs();
  for (int64_t k = 0; k < count; k++) {
    twinRun(work, item);
    item = item + 1 < items ? item + 1 : 0;
  }
  printf("%lld\n", (long long)(nowNs() - start));
}

static void readAnswer(const Case *work, int item) {
  if (item < 0 || item >= twinItemCount()) die("no item %d", item);
  Answer answer = twinRun(work, item);
  printf("%zu\n", answer.count);
  fwrite(answer.bytes, 1, answer.count, stdout);
}

int main(void) {
  char line[1024];
  while (fgets(line, sizeof line, stdin) != NULL) {
    char name[32], word[32];
    long long number;
    int used = 0;
    if (sscanf(line, "load %31s %lld", name, &number) == 2) load(name, (size_t)number);
    else if (sscanf(line, "define %31s %31s%n", name, word, &used) == 2) define(name, word, line + used);
    else if (sscanf(line, "run %31s %lld", name, &number) == 2) run(findCase(name), number);
    else if (sscanf(line, "read %31s %lld", name, &number) == 2) readAnswer(findCase(name), (int)number);
    else die("cannot read: %s", line);
    fflush(stdout);
  }
  return 0;
}
