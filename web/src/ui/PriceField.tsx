import { priceDecimals } from '../format/number.ts';
import { NumberField, type NumberFieldProps } from './NumberInput.tsx';

const PRICE_MAX = 1e9;
/** Decimals of an empty field while the tick of the symbol is unknown. */
const STANDARD_DECIMALS = 8;

interface Props extends Omit<NumberFieldProps, 'min' | 'max' | 'step' | 'decimals'> {
  /** Least step of a price; 0: unknown. */
  tickSize: number;
  /** Decimals of the tick; undefined while it is unknown. */
  decimals: number | undefined;
}

/** A price in quote currency, on the ticks of its symbol. */
export function PriceField({ tickSize, decimals, ...field }: Props) {
  const { value } = field;
  const shown = decimals ?? (value === null ? STANDARD_DECIMALS : priceDecimals(value));
  const least = tickSize > 0 ? tickSize : 10 ** -shown;
  return <NumberField {...field} min={least} max={PRICE_MAX} step={least} decimals={shown} />;
}
