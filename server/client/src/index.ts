/** What the package exports. */
export { type Client, type ClientOptions, createClient } from './client.ts';
export type { ApiPath, CallOptions, CallResult, Method } from './calls.ts';
export { SextantError, type SextantErrorFields } from './errors.ts';
export type { RateLimit } from './request.ts';
export type { StreamedCandle, StreamedMiss, StreamEvent, StreamOptions } from './stream.ts';
export { verifyWebhook, type WebhookMessage, type WebhookOptions } from './webhooks.ts';
export type { components, paths } from './schema.gen.ts';
