/** Prices of credits and of what they pay for, for the server that charges them and the pages that show them. */

/** What paid work costs, in credits. Everything that is not listed is free. */
export const creditPrices = {
  /** One signal scan with its AI checks, for any symbols and intervals. */
  scan: 1,
  /** One arbitrage scan that finds something. */
  arbitrageScan: 1,
  /** One chart analysis with a usable result. */
  vision: 1,
} as const;

/** US dollars for one credit. */
export const USD_PER_CREDIT = 1;
/** Least purchase in US dollars. */
export const PURCHASE_MIN = 20;

/** Credits in texts of the server: "1 credit", "2 credits". */
export const creditsText = (count: number): string => `${count} ${count === 1 ? 'credit' : 'credits'}`;
