/** A count as texts show it: `1,000`. */
export const countText = (count: number): string => count.toLocaleString('en-US');
