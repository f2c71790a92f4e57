/** From the smallest risk per trade to the largest. */
export const riskTolerances = ['low', 'medium', 'high'] as const;

/** In the account the values go by their own names, beside a scanner by what they mean for a trade. */
export const toleranceNames = { low: 'Low', medium: 'Medium', high: 'High' };
export const toleranceStances = { low: 'Conservative', medium: 'Moderate', high: 'Aggressive' };
