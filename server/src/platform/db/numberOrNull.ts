/** A numeric column, which the driver returns as text. */
export const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text));
