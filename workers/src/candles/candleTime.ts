/** Years of four digits, as ISO 8601 writes them, with a day to spare: 0001-01-01 to 9999-12-31. */
const TIME_MIN = -62_135_596_800_000;
const TIME_MAX = 253_402_214_400_000;

/** Whether a candle may open at this epoch ms. */
export const isCandleTime = (value: number): boolean =>
  Number.isInteger(value) && value >= TIME_MIN && value <= TIME_MAX;
