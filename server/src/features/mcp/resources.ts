import {
  ErrorCode,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  McpError,
  type ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { LightMyRequestResponse } from 'fastify';
import type { InnerCall } from './tools.ts';

/** The help as resources: every article and the glossary pages (indicators, votes, figures, error codes), as Markdown. */

type Call = (call: InnerCall) => Promise<LightMyRequestResponse>;

const prefix = 'sextant://help/';
const mimeType = 'text/markdown';
const slugPattern = /^[a-z0-9-]{1,100}$/;
/** The protocol's code for a resource that does not exist. */
const RESOURCE_NOT_FOUND = -32_002;

export const resourceTemplates: ListResourceTemplatesResult = {
  resourceTemplates: [
    {
      uriTemplate: `${prefix}{slug}`,
      name: 'help',
      title: 'Help article or glossary page',
      description: 'look_up_term finds the slug of a term.',
      mimeType,
    },
  ],
};

export async function listResources(call: Call): Promise<ListResourcesResult> {
  const response = await call({ method: 'GET', path: '/api/support/articles' });
  if (response.statusCode !== 200) throw failureOf(response);
  const { articles } = response.json<{ articles: { slug: string; title: string; question: string }[] }>();
  return {
    resources: articles.map(({ slug, title, question }) => ({
      uri: `${prefix}${slug}`,
      name: slug,
      title,
      description: question,
      mimeType,
    })),
  };
}

/** @throws {McpError} when there is no such resource, or the call is rejected */
export async function readResource(uri: string, call: Call): Promise<ReadResourceResult> {
  const slug = uri.startsWith(prefix) ? uri.slice(prefix.length) : '';
  if (!slugPattern.test(slug)) throw unknown(uri);
  const response = await call({ method: 'GET', path: `/api/support/articles/${slug}` });
  if (response.statusCode === 404) throw unknown(uri);
  if (response.statusCode !== 200) throw failureOf(response);
  const { title, content_md: text } = response.json<{ title: string; content_md: string }>();
  return { contents: [{ uri, mimeType, text: `# ${title}\n\n${text}` }] };
}

const unknown = (uri: string): McpError =>
  new McpError(RESOURCE_NOT_FOUND, `Resource not found. resources/list has them, e.g. ${prefix}honesty-panel.`, {
    uri,
  });

function failureOf(response: LightMyRequestResponse): McpError {
  const { code = 'internal', message = 'The call failed.' } = response.json<{ code?: string; message?: string }>();
  return new McpError(ErrorCode.InternalError, `${code}: ${message}`);
}
