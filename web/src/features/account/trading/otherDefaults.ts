/**
 * The second reading of the defaults, as it is written. Offered as choices beside the stored ones; the risks are
 * basis points and equal the stored pair.
 */
export const otherDefaults = { balanceUsdt: 700_000, minAutoConfPct: 40, riskMinBps: 50, riskMaxBps: 200 } as const;

/** 50 is 0.5 %, the fraction 0.005. */
export const fractionOfBps = (bps: number): number => bps / 10_000;
