import { PURCHASE_MIN } from '@sextant/workers/src/core/creditPrices.ts';
import { coins as coinFacts } from './coins.ts';
import { INVOICE_EXPIRES_S, type MethodsWire, PURCHASE_DEFAULT, PURCHASE_MAX } from './contract.ts';
import type { CardProvider, CoinProvider, ProviderResult } from './port.ts';
import type { PaymentMethod } from './states.ts';

/** The provider's minimum in whole cents; ours when it is higher or the provider returned none. */
export const minimumOf = (minimum: ProviderResult<number> | undefined): number =>
  Math.max(PURCHASE_MIN, minimum?.ok === true ? Math.ceil(minimum.value * 100) / 100 : 0);

/** The payment methods, each with its minimum and the user's last use. */
export async function listMethods(
  { coins, cards }: { coins: CoinProvider | undefined; cards: CardProvider | undefined },
  lastUses: ReadonlyMap<string, string>,
): Promise<MethodsWire['methods']> {
  const common = (method: PaymentMethod) => ({
    maximum_usd: PURCHASE_MAX,
    default_usd: PURCHASE_DEFAULT,
    last_used_at: lastUses.get(method) ?? null,
  });
  const listed = (['usdt', 'bnb'] as const).map(async (method) => ({
    method,
    name: coinFacts[method].name,
    network: coinFacts[method].network,
    pay_currency: coinFacts[method].payCurrency,
    provider: 'nowpayments' as const,
    is_available: coins !== undefined,
    is_sandbox: coins?.isSandbox ?? false,
    minimum_usd: minimumOf(await coins?.minimumUsd(method)),
    expires_in_s: INVOICE_EXPIRES_S,
    ...common(method),
  }));
  const card = {
    method: 'card' as const,
    name: 'Card',
    network: null,
    pay_currency: null,
    provider: 'moonpay' as const,
    is_available: cards !== undefined,
    is_sandbox: cards?.isSandbox ?? true,
    minimum_usd: PURCHASE_MIN,
    expires_in_s: null,
    ...common('card'),
  };
  return [...(await Promise.all(listed)), card];
}
