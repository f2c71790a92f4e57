/** What paid work costs, in credits. Everything that is not listed is free. */
export const creditPrices = {
  /** One signal scan with its AI checks, for any symbols and intervals. */
  scan: 1,
  /** One arbitrage scan that finds something. */
  arbitrageScan: 1,
  /** One chart analysis with a usable answer. */
  vision: 1,
} as const;

/** US dollars for one credit. */
export const USD_PER_CREDIT = 1;
