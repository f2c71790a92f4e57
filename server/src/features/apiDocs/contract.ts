import { apiPlans, type ApiPlanName } from '@sextant/workers/src/core/apiAccess.ts';
import { z } from 'zod';
import { documentedPages } from './documentedCalls.ts';

const FieldRow = z.object({
  name: z.string().meta({ description: '`position.sizeUsdt`; `items[].status` inside a list.' }),
  type: z.string(),
  is_required: z.boolean(),
  description: z.string(),
});

export const DocumentedCallWire = z.object({
  page: z.enum(documentedPages),
  method: z.enum(['GET', 'POST']),
  path: z.string(),
  summary: z.string(),
  description: z.string(),
  access: z.string().meta({ description: '`public`, `any_key` or the scope a key needs.' }),
  costs: z.int().meta({ description: 'Credits a call may cost.' }),
  parameters: z.array(FieldRow),
  answer: z.array(FieldRow),
  status: z.int().meta({ description: 'HTTP status of the response.' }),
  refusals: z.array(z.object({ status: z.int(), code: z.string(), title: z.string() })).meta({
    description: 'Errors of the call, by status.',
  }),
  sample: z.object({ path: z.string(), body: z.record(z.string(), z.unknown()).nullable() }),
  sandbox_answer: z.string().nullable().meta({
    description: 'Exact response to the sample with a test key; null for the stream.',
  }),
  examples: z.object({ curl: z.string(), typescript: z.string(), python: z.string() }),
});
export const DocumentationResponse = z.object({
  base_url: z.string(),
  calls: z.array(DocumentedCallWire).meta({ description: 'By page, in the order of the screen.' }),
  stream: DocumentedCallWire.meta({ description: 'True for the endless stream.' }),
});

export const CollectionEntry = z.object({
  name: z.enum(['postman', 'insomnia', 'curl']),
  download_url: z.string(),
  import_url: z.string().meta({ description: 'Full URL of the file, for import.' }),
  collection_data: z.object({ examples: z.array(z.object({ name: z.string(), curl: z.string() })) }),
});
export const CollectionsResponse = z.object({ collections: z.array(CollectionEntry) });
/** Postman and Insomnia define these formats. */
export const CollectionFile = z.record(z.string(), z.unknown());
export const CurlCollection = z.string().meta({ description: 'Commands for a shell.' });

export const ErrorInfoResponse = z.object({
  error_codes: z.array(z.object({ code: z.string(), status: z.int(), title: z.string() })),
  rate_limits: z.array(
    z.object({
      plan: z.enum(apiPlans.map(({ name }) => name) as [ApiPlanName, ...ApiPlanName[]]),
      hourly_limit: z.int(),
      price_credits_month: z.int(),
    }),
  ),
  best_practices: z.array(z.string()),
});
