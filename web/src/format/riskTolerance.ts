/** From the smallest risk per trade to the largest (ACC-009). */
export const riskTolerances = ['low', 'medium', 'high'] as const;

/** In the account the values go by their own names, beside a scanner by what they mean for a trade (SIG-029). */
export const toleranceNames = { low: 'Low', medium: 'Medium', high: 'High' };
export const toleranceStances = { low: 'Conservative', medium: 'Moderate', high: 'Aggressive' };
