/*
 * Writes talibIndicators.json and talibPatterns.json with TA-Lib, an independent implementation in C. The files in this folder were made
 * with TA-Lib 0.6.0-dev, whose source is part of the npm package talib 2.0.5 (src/lib):
 *
 *   cc -O2 -I$LIB/include -I$LIB/src/ta_common talib.c $LIB/src/ta_func/ta_*.c $LIB/src/ta_common/ta_*.c -lm -o talib
 *   node inputs.ts | ./talib
 *
 * Unstable period 0, default compatibility, default candle settings.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ta_libc.h"

#define MOST 20000
static char name[64];
static int count;
static double open_[MOST], high[MOST], low[MOST], close_[MOST], volume[MOST];

static int readInput(void) {
  if (scanf("%63s %d", name, &count) != 2) return 0;
  for (int i = 0; i < count; i++)
    if (scanf("%lf %lf %lf %lf %lf", &open_[i], &high[i], &low[i], &close_[i], &volume[i]) != 5) exit(1);
  return 1;
}

/* Patterns: candles by value, those with 0 left out. */
static FILE *patterns;
static int patternsDone;

static void writePattern(const char *pattern, double penetration, int begin, int number, const int *values) {
  fprintf(patterns, "%s\n{\"input\":\"%s\",\"pattern\":\"%s\",\"begin\":%d", patternsDone++ ? "," : "", name, pattern, begin);
  if (penetration > 0) fprintf(patterns, ",\"penetration\":%g", penetration);
  fprintf(patterns, ",\"candles\":{");
  int isFirstValue = 1;
  for (int value = -200; value <= 200; value++) {
    int found = 0;
    for (int k = 0; k < number; k++) {
      if (value == 0 || values[k] != value) continue;
      if (found == 0) fprintf(patterns, "%s\"%d\":[", isFirstValue ? "" : ",", value);
      fprintf(patterns, found++ ? ",%d" : "%d", begin + k);
      isFirstValue = 0;
    }
    if (found > 0) fprintf(patterns, "]");
  }
  fprintf(patterns, "}}");
}

static int found[MOST], begin, number;
#define PLAIN(f) \
  if (TA_##f(0, count - 1, open_, high, low, close_, &begin, &number, found) != TA_SUCCESS) exit(2); \
  writePattern(#f, 0, begin, number, found)
#define DEEP(f, penetration) \
  if (TA_##f(0, count - 1, open_, high, low, close_, penetration, &begin, &number, found) != TA_SUCCESS) exit(2); \
  writePattern(#f, penetration, begin, number, found)

static void writePatterns(void) {
  PLAIN(CDL2CROWS);
  PLAIN(CDL3BLACKCROWS);
  PLAIN(CDL3INSIDE);
  PLAIN(CDL3LINESTRIKE);
  PLAIN(CDL3OUTSIDE);
  PLAIN(CDL3STARSINSOUTH);
  PLAIN(CDL3WHITESOLDIERS);
  DEEP(CDLABANDONEDBABY, 0.3);
  PLAIN(CDLADVANCEBLOCK);
  PLAIN(CDLBELTHOLD);
  PLAIN(CDLBREAKAWAY);
  PLAIN(CDLCLOSINGMARUBOZU);
  PLAIN(CDLCONCEALBABYSWALL);
  PLAIN(CDLCOUNTERATTACK);
  DEEP(CDLDARKCLOUDCOVER, 0.5);
  PLAIN(CDLDOJI);
  PLAIN(CDLDOJISTAR);
  PLAIN(CDLDRAGONFLYDOJI);
  PLAIN(CDLENGULFING);
  DEEP(CDLEVENINGDOJISTAR, 0.3);
  DEEP(CDLEVENINGSTAR, 0.3);
  PLAIN(CDLGAPSIDESIDEWHITE);
  PLAIN(CDLGRAVESTONEDOJI);
  PLAIN(CDLHAMMER);
  PLAIN(CDLHANGINGMAN);
  PLAIN(CDLHARAMI);
  PLAIN(CDLHARAMICROSS);
  PLAIN(CDLHIGHWAVE);
  PLAIN(CDLHIKKAKE);
  PLAIN(CDLHIKKAKEMOD);
  PLAIN(CDLHOMINGPIGEON);
  PLAIN(CDLIDENTICAL3CROWS);
  PLAIN(CDLINNECK);
  PLAIN(CDLINVERTEDHAMMER);
  PLAIN(CDLKICKING);
  PLAIN(CDLKICKINGBYLENGTH);
  PLAIN(CDLLADDERBOTTOM);
  PLAIN(CDLLONGLEGGEDDOJI);
  PLAIN(CDLLONGLINE);
  PLAIN(CDLMARUBOZU);
  PLAIN(CDLMATCHINGLOW);
  DEEP(CDLMATHOLD, 0.5);
  DEEP(CDLMORNINGDOJISTAR, 0.3);
  DEEP(CDLMORNINGSTAR, 0.3);
  PLAIN(CDLONNECK);
  PLAIN(CDLPIERCING);
  PLAIN(CDLRICKSHAWMAN);
  PLAIN(CDLRISEFALL3METHODS);
  PLAIN(CDLSEPARATINGLINES);
  PLAIN(CDLSHOOTINGSTAR);
  PLAIN(CDLSHORTLINE);
  PLAIN(CDLSPINNINGTOP);
  PLAIN(CDLSTALLEDPATTERN);
  PLAIN(CDLSTICKSANDWICH);
  PLAIN(CDLTAKURI);
  PLAIN(CDLTASUKIGAP);
  PLAIN(CDLTHRUSTING);
  PLAIN(CDLTRISTAR);
  PLAIN(CDLUNIQUE3RIVER);
  PLAIN(CDLUPSIDEGAP2CROWS);
  PLAIN(CDLXSIDEGAP3METHODS);
}

/* Indicators: the first values, one in 25 candles and the last. */
static FILE *indicators;
static int indicatorsDone;

static void writeIndicator(const char *indicator, const char *output, int begin, int number, const double *values) {
  fprintf(indicators, "%s\n{\"input\":\"%s\",\"id\":\"%s\",\"output\":\"%s\",\"begin\":%d,\"values\":{", indicatorsDone++ ? "," : "", name,
          indicator, output, begin);
  int isFirst = 1;
  for (int k = 0; k < number; k++) {
    int candle = begin + k;
    if (k > 3 && candle % 25 != 0 && candle != count - 1) continue;
    fprintf(indicators, "%s\"%d\":%.17g", isFirst ? "" : ",", candle, values[k]);
    isFirst = 0;
  }
  fprintf(indicators, "}}");
}

static double one[MOST], two[MOST], three[MOST];
#define CALL(f, ...) \
  if (TA_##f(0, count - 1, __VA_ARGS__) != TA_SUCCESS) exit(3)
#define WRITE(id, output, values) writeIndicator(id, output, begin, number, values)

static void writeIndicators(void) {
  CALL(SMA, close_, 20, &begin, &number, one); WRITE("SMA(20)", "close", one);
  CALL(SMA, close_, 50, &begin, &number, one); WRITE("SMA(50)", "close", one);
  CALL(EMA, close_, 12, &begin, &number, one); WRITE("EMA(12)", "close", one);
  CALL(EMA, close_, 26, &begin, &number, one); WRITE("EMA(26)", "close", one);
  CALL(EMA, close_, 50, &begin, &number, one); WRITE("EMA(50)", "close", one);
  CALL(EMA, close_, 200, &begin, &number, one); WRITE("EMA(200)", "close", one);
  CALL(MACD, close_, 12, 26, 9, &begin, &number, one, two, three);
  WRITE("MACD(12,26,9)", "macd", one); WRITE("MACD(12,26,9)", "signal", two); WRITE("MACD(12,26,9)", "hist", three);
  CALL(BBANDS, close_, 20, 2, 2, TA_MAType_SMA, &begin, &number, one, two, three);
  WRITE("BBANDS(20,2,2,SMA)", "upper", one); WRITE("BBANDS(20,2,2,SMA)", "middle", two); WRITE("BBANDS(20,2,2,SMA)", "lower", three);
  CALL(ATR, high, low, close_, 14, &begin, &number, one); WRITE("ATR(14)", "atr", one);
  CALL(ATR, high, low, close_, 10, &begin, &number, one); WRITE("ATR(10)", "atr", one);
  CALL(ADX, high, low, close_, 14, &begin, &number, one); WRITE("ADX(14)", "adx", one);
  CALL(PLUS_DI, high, low, close_, 14, &begin, &number, one); WRITE("PLUS_DI(14)", "pdi", one);
  CALL(MINUS_DI, high, low, close_, 14, &begin, &number, one); WRITE("MINUS_DI(14)", "mdi", one);
  CALL(MFI, high, low, close_, volume, 14, &begin, &number, one); WRITE("MFI(14)", "mfi", one);
  CALL(OBV, close_, volume, &begin, &number, one); WRITE("OBV", "obv", one);
  CALL(CCI, high, low, close_, 20, &begin, &number, one); WRITE("CCI(20)", "cci", one);
  CALL(MAX, high, 20, &begin, &number, one); WRITE("MAX(20)", "high", one);
  CALL(MIN, low, 20, &begin, &number, one); WRITE("MIN(20)", "low", one);
  CALL(RSI, close_, 14, &begin, &number, one); WRITE("RSI(14)", "close", one);
  /* The stochastic oscillator of the RSI, with a smoothed %K. */
  int shift = begin;
  if (TA_STOCH(0, number - 1, one, one, one, 14, 3, TA_MAType_SMA, 3, TA_MAType_SMA, &begin, &number, two, three) != TA_SUCCESS) exit(3);
  begin += shift;
  WRITE("STOCH(RSI(14),14,3,3)", "k", two); WRITE("STOCH(RSI(14),14,3,3)", "d", three);
}

int main(void) {
  if (TA_Initialize() != TA_SUCCESS) return 4;
  indicators = fopen("talibIndicators.json", "w");
  patterns = fopen("talibPatterns.json", "w");
  fprintf(indicators, "[");
  fprintf(patterns, "[");
  while (readInput()) {
    if (strncmp(name, "pattern", 7) == 0) writePatterns();
    else writeIndicators();
  }
  fprintf(indicators, "\n]\n");
  fprintf(patterns, "\n]\n");
  return 0;
}
