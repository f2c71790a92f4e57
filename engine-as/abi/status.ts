// Read by asc and by tsc alike, so it holds only what both languages share: plain constants.
// An enum would not do: Node strips types but does not compile enums.

export const STATUS_OK = 0;
/** A parameter is outside the bounds its registry entry states. */
export const STATUS_BAD_PARAMETER = 1;
/** The arena reached the declared memory maximum. */
export const STATUS_OUT_OF_MEMORY = 2;
/** The indicator kind does not exist. */
export const STATUS_UNKNOWN_KIND = 3;
