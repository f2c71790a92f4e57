/** From the smallest risk per trade to the largest (ACC-009). */
export const riskTolerances = ['low', 'medium', 'high'] as const;

/** The only words for a risk tolerance on screen (SIG-029). */
export const toleranceNames = { low: 'Conservative', medium: 'Moderate', high: 'Aggressive' };
