import { useState } from 'react';
import { formatPrice } from '../format/number.ts';

/** A changed price flashes its background once: the eye finds it, nothing moves. */
export function FlashingPrice({ price, decimals }: { price: number | null; decimals: number | undefined }) {
  const [seen, setSeen] = useState({ price, direction: 0 });
  if (seen.price !== price) {
    setSeen({ price, direction: price === null || seen.price === null ? 0 : Math.sign(price - seen.price) });
  }
  const flash = seen.direction > 0 ? 'flash-up' : seen.direction < 0 ? 'flash-down' : '';
  return (
    <span key={price} className={`-mx-1 rounded-sm px-1 py-0.5 ${flash}`}>
      {formatPrice(price, decimals)}
    </span>
  );
}
