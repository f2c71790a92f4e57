/** From the smallest risk per trade to the largest. */
export const riskTolerances = ['low', 'medium', 'high'] as const;

/** The only words for a risk tolerance on screen. */
export const toleranceNames = { low: 'Conservative', medium: 'Moderate', high: 'Aggressive' };
