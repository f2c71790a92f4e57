// Read by asc and by tsc alike: plain constants only.

/** Risk levels a user chooses between. */
export const RISK_LOW = 0;
export const RISK_MEDIUM = 1;
export const RISK_HIGH = 2;

/** Closed trades below which how they went says nothing yet. */
export const ADAPTIVE_CLOSES_MIN = 10;
