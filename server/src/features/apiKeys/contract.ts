import {
  type ApiPlanName,
  apiPlans,
  type ApiScope,
  apiScopeNames,
  apiScopes,
  CALLS_SHOWN,
  keyModes,
} from '@sextant/workers/src/core/apiAccess.ts';
import { z } from 'zod';
import { InstantOrNull } from '../../platform/instant.ts';
import { Text, textOr } from '../../platform/contract.ts';
import { isAddressEntry } from './addressList.ts';

const Instant = z.iso.datetime();
const scopeList = apiScopeNames.map((name) => `\`${name}\`: ${apiScopes[name]}`).join('. ');
export const ApiScopeName = z
  .enum(apiScopeNames as [ApiScope, ...ApiScope[]], { error: `must be one of ${apiScopeNames.join(', ')}` })
  .meta({ description: `${scopeList}.` });
export const ApiPlanWire = z.enum(apiPlans.map(({ name }) => name) as [ApiPlanName, ...ApiPlanName[]]);

export const KeyModeWire = z.enum(keyModes, 'must be live or test').meta({
  description: '`test`: free, served by the sandbox, counted separately.',
});

const KeyName = Text.trim().min(1, 'must not be empty').max(100);
const Scopes = z.array(ApiScopeName).max(apiScopeNames.length).meta({ description: 'Empty: all read scopes.' });
const AddressEntry = Text.max(50).refine(
  isAddressEntry,
  'must be an IPv4 or IPv6 address, or a network like 203.0.113.0/24 or 2001:db8::/32',
);
const Allowlist = z.array(AddressEntry).max(100).meta({
  description: 'Allowed addresses and networks (CIDR). Empty: any.',
});
const CreditCap = z.int().min(0).max(1_000_000).nullable().meta({
  description: 'Credits the key may spend per calendar month (UTC); null: no cap.',
});

export const ApiKeyRequest = z.strictObject({
  mode: KeyModeWire.default('live'),
  name: KeyName.default('Server key'),
  scopes: Scopes.default([]),
  ip_allowlist: Allowlist.default([]),
  credit_cap: CreditCap.default(null),
});
export const ApiKeyChange = z.strictObject({
  name: KeyName.optional(),
  scopes: Scopes.optional(),
  ip_allowlist: Allowlist.optional(),
  credit_cap: CreditCap.optional(),
});
export const RotateRequest = z.strictObject({
  old_key_works: z.enum(['no_longer', 'hour', 'day']).default('hour').meta({
    description: 'How long the previous key stays valid.',
  }),
});
export const ApiKeyId = z.strictObject({ id: z.uuid() });

export const ApiKey = z.object({
  id: z.uuid(),
  created_at: Instant,
  name: z.string(),
  mode: KeyModeWire,
  active: z.boolean().meta({ description: 'False once revoked; listed for 30 more days.' }),
  last_used_at: InstantOrNull,
  last_used_ip: z.string().nullable(),
  scopes: z.array(ApiScopeName),
  ip_allowlist: z.array(z.string()),
  credit_cap: z.int().nullable(),
  credits_this_month: z.int().meta({ description: 'Spent this month (UTC).' }),
  masked: z.string().meta({ examples: ['sx_live_a1B2c3D4_…x9Yz'] }),
  previous: z
    .object({ masked: z.string(), expires_at: Instant })
    .nullable()
    .meta({ description: 'The previous key, while it is valid.' }),
});
export const ApiKeysResponse = z.object({ keys: z.array(ApiKey) });
export const ApiKeyResponse = z.object({ key: ApiKey });
export const ApiKeyCreated = z.object({
  api_key: z.string().meta({ description: 'The full key, shown once and not stored.' }),
  key: ApiKey,
});
export const KeyRevokedResponse = z.object({ done: z.literal(true) });

const Plan = z.object({
  plan: ApiPlanWire,
  price_credits_month: z.int().meta({ description: 'Credits for 30 days.' }),
  hourly_limit: z.int(),
});
export const SubscriptionRequest = z.strictObject({ plan: ApiPlanWire });
export const SubscriptionResponse = z.object({
  current: z.object({
    plan: ApiPlanWire,
    hourly_limit: z.int(),
    window_count: z.int().meta({ description: 'Calls of all keys this hour.' }),
    reset_at: Instant.meta({ description: 'When the next hour starts.' }),
    started_at: InstantOrNull,
    expires_at: InstantOrNull.meta({ description: 'End of a paid plan; FREE follows.' }),
  }),
  plans: z.array(Plan),
  paid: z.array(z.object({ plan: ApiPlanWire, expires_at: Instant })).meta({
    description: 'Paid plans changed to FREE before their end; changing back is free until then.',
  }),
});

export const WhoAmIResponse = z.object({
  user_id: z.uuid(),
  username: z.string().nullable(),
  mode: KeyModeWire.meta({ description: 'Key type; `live` for a session.' }),
  key: z
    .object({ id: z.uuid(), name: z.string(), scopes: z.array(ApiScopeName), credit_cap: z.int().nullable() })
    .nullable()
    .meta({ description: 'Null for a session.' }),
  ip: z.string().meta({ description: 'Caller address, as matched against allow lists.' }),
  plan: ApiPlanWire,
  hourly_limit: z.int().meta({ description: 'Set by the plan for live keys; test keys have a separate limit.' }),
});

const StatusFilter = textOr()
  .max(3, 'must be a status like 429 or a class like 4xx')
  .regex(/^[1-5](xx|\d\d)$/, 'must be a status like 429 or a class like 4xx')
  .meta({ description: 'A status (`429`) or a class (`4xx`).' });
const filters = {
  key_id: z.uuid().optional(),
  route: Text.max(200).optional().meta({ description: 'e.g. `/api/klines`' }),
  status: StatusFilter.optional(),
  mode: KeyModeWire.optional(),
};
export const ApiLogsQuery = z.strictObject({
  ...filters,
  limit: z.coerce.number().int().min(1).max(200).default(CALLS_SHOWN),
});
export const ApiLogsCsvQuery = z.strictObject(filters);
export const ApiUsageQuery = z.strictObject({ mode: KeyModeWire.default('live') });
export const ApiCall = z.object({
  created_at: Instant,
  request_id: z.uuid(),
  method: z.string(),
  path: z.string(),
  route: z.string(),
  status: z.int(),
  success: z.boolean(),
  duration_ms: z.number(),
  ip: z.string(),
  credits: z.int(),
  key_id: z.uuid(),
  key_name: z.string().nullable(),
  mode: KeyModeWire,
});
export const ApiLogsResponse = z.object({ items: z.array(ApiCall).meta({ description: 'Newest first.' }) });
export const CalledRoutesResponse = z.object({ routes: z.array(z.string()) });
export const ApiLogsCsv = z.string().meta({ description: 'RFC 4180, newest first, at most 10,000 calls.' });

const Ms = z.number().nullable();
export const ApiUsageResponse = z.object({
  total: z.int().meta({ description: 'Calls with keys in the last 24 hours.' }),
  success: z.int(),
  not_listed: z.int().meta({
    description: 'Part of the total: rejected calls beyond 60 a minute per key. Counted, not logged.',
  }),
  success_rate: z.number().nullable().meta({ description: 'Fraction; null without a call.' }),
  credits: z.int(),
  avg_ms: Ms,
  p50_ms: Ms,
  p95_ms: Ms,
  p99_ms: Ms,
  items: z
    .array(z.object({ at: Instant, total: z.int(), ok: z.int().meta({ description: 'Calls that succeeded.' }) }))
    .meta({ description: 'Last 24 hours, oldest first; the first is partial.' }),
  routes: z.array(z.object({ route: z.string(), total: z.int() })).meta({ description: 'Most called first.' }),
});
