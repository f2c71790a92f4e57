import { type ApiPlanName, apiPlans, type KeyMode } from '@sextant/workers/src/core/apiAccess.ts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { takeKey } from '../state/keyInHand.ts';
import { withStepUp } from '../state/stepUp.ts';
import { toast } from '../state/toasts.ts';
import { api, dataOf } from '../api/client.ts';
import { queryKeys } from '../api/queryKeys.ts';
import type { ApiKey, ApiKeyChange, ApiKeyRequest, ApiSubscription } from '../api/types.ts';
import { storeResponse } from '../api/storeResponse.ts';

/** API calls continue while the page is open, and no event reports them. */
const USE_POLL_MS = 15_000;

export type Overlap = 'no_longer' | 'hour' | 'day';

/** Filters of the list of calls; without one, all calls are listed. */
export interface CallFilters {
  key_id?: string;
  route?: string;
  status?: string;
  mode?: KeyMode;
}

export function useApiKeys() {
  return useQuery({
    queryKey: queryKeys.apiAccess.keys,
    queryFn: ({ signal }) => dataOf(api.GET('/api/account/api-keys', { signal })),
    select: (response) => response.keys,
    refetchInterval: USE_POLL_MS,
  });
}

/** The current plan with its use of this hour, and the plans on sale. */
export function useApiSubscription() {
  return useQuery({
    queryKey: queryKeys.apiAccess.subscription,
    queryFn: ({ signal }) => dataOf(api.GET('/api/account/api-subscription', { signal })),
    refetchInterval: USE_POLL_MS,
  });
}

/** Counts and durations of the last 24 hours, for keys of one kind. */
export function useApiUsage(isWanted = true, mode: KeyMode = 'live') {
  return useQuery({
    queryKey: queryKeys.apiAccess.usage(mode),
    queryFn: ({ signal }) => dataOf(api.GET('/api/account/api-usage', { params: { query: { mode } }, signal })),
    enabled: isWanted,
    refetchInterval: USE_POLL_MS,
  });
}

export function useApiCalls(filters: CallFilters, limit: number, isWanted = true) {
  return useQuery({
    queryKey: queryKeys.apiAccess.calls({ ...filters, limit }),
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/account/api-logs', { params: { query: { ...filters, limit } }, signal })),
    select: (response) => response.items,
    enabled: isWanted,
    placeholderData: keepPreviousData,
    refetchInterval: USE_POLL_MS,
  });
}

/** Every route among the stored calls. New ones are rare. */
export function useCalledRoutes() {
  return useQuery({
    queryKey: queryKeys.apiAccess.routes,
    queryFn: ({ signal }) => dataOf(api.GET('/api/account/api-logs/routes', { signal })),
    select: (response) => response.routes,
    staleTime: 60_000,
  });
}

/** Where the calls of these filters are as a file. */
export function callsFileUrl(filters: CallFilters): string {
  const query = new URLSearchParams(filters as Record<string, string>).toString();
  return `/api/account/api-logs/csv${query === '' ? '' : `?${query}`}`;
}

function useChange<Input, ResponseBody>(mutationFn: (input: Input) => Promise<ResponseBody>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => withStepUp(() => mutationFn(input)),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.apiAccess.all }),
  });
}

/** Taken straight from the response: the list may rerender before the form's callback, and the key is never returned again. */
function keep(made: { api_key: string; key: ApiKey }): ApiKey {
  takeKey(made.api_key, made.key.name, made.key.scopes);
  toast('API Key created successfully!', 'success');
  return made.key;
}

export const useCreateKey = () =>
  useChange(async (body: ApiKeyRequest) => keep(await dataOf(api.POST('/api/account/api-keys', { body }))));

export const useChangeKey = () =>
  useChange(({ id, change }: { id: string; change: ApiKeyChange }) =>
    dataOf(api.PATCH('/api/account/api-keys/{id}', { params: { path: { id } }, body: change })),
  );

export const useRotateKey = () =>
  useChange(async ({ id, overlap }: { id: string; overlap: Overlap }) =>
    keep(
      await dataOf(
        api.POST('/api/account/api-keys/{id}/rotate', { params: { path: { id } }, body: { old_key_works: overlap } }),
      ),
    ),
  );

export const useRevokeKey = () =>
  useChange((id: string) => dataOf(api.DELETE('/api/account/api-keys/{id}', { params: { path: { id } } })));

/** Buys a plan or changes to FREE. The key makes a repetition of the same press safe. */
export function useChangePlan() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ plan, key }: { plan: ApiPlanName; key: string }) =>
      dataOf(
        api.POST('/api/account/api-subscription', { body: { plan }, params: { header: { 'idempotency-key': key } } }),
      ),
    onSuccess: (response) => storeResponse(client, queryKeys.apiAccess.subscription, response),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.credits }),
  });
}

/** Shown where the server names no limit; not enforced. */
const LIMIT_UNKNOWN = 10;

export const hourlyLimitOf = (current: Partial<ApiSubscription['current']> | undefined): number =>
  current?.hourly_limit ?? LIMIT_UNKNOWN;

/** The plans on sale; the default ones while the server names none. */
export const plansOf = (subscription: ApiSubscription | undefined): ApiSubscription['plans'] =>
  subscription !== undefined && subscription.plans.length > 0
    ? subscription.plans
    : apiPlans.map(({ name, hourlyLimit, priceCredits }) => ({
        plan: name,
        hourly_limit: hourlyLimit,
        price_credits_month: priceCredits,
      }));

/** The name of the account type. */
export const accountTypeOf = (plan: ApiPlanName): string =>
  plan === 'FREE' ? 'Free Tier' : `${plan[0] ?? ''}${plan.slice(1).toLowerCase()}`;
