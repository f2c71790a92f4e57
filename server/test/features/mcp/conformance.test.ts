import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHelp } from '../../../src/features/help/articles.ts';
import { storeHelp } from '../../../src/features/help/storeHelp.ts';
import { createListeningApp, makeKey, type MadeKey } from '../apiKeys/support.ts';
import type { MarketApp } from '../../support/createMarketApp.ts';

/**
 * The checks that @modelcontextprotocol/conformance 0.1.16 documents for what this server offers: initialize, ping, tools, resources and
 * rebinding. Its other scenarios call fixtures of its own (`test_simple_text`, `test://static-text`) or capabilities that are not declared here.
 */

let test: MarketApp;
let key: MadeKey;
let baseUrl: string;
beforeAll(async () => {
  ({ test, baseUrl } = await createListeningApp());
  await storeHelp(test.deps.db, await readHelp());
  key = await makeKey(test, await test.signUp(), { scopes: ['read:market'] });
});
afterAll(() => test.close());

interface Sent {
  status: number;
  body: { result?: Record<string, unknown>; error?: { code: number; message: string } } | undefined;
}
async function send(method: string, params: object = {}, headers: Record<string, string> = {}): Promise<Sent> {
  const response = await fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...key.header,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as Sent['body']) };
}
const initialize = (protocolVersion: string) =>
  send('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } });

describe('the documented checks of the protocol', () => {
  it('PKG-058 hold for initialize: version, server and the capabilities that exist', async () => {
    for (const version of SUPPORTED_PROTOCOL_VERSIONS) {
      const { body } = await initialize(version);
      expect(body?.result).toMatchObject({
        protocolVersion: version,
        serverInfo: { name: 'sextant', version: expect.any(String) as string },
        capabilities: { tools: {}, resources: {} },
      });
    }
    expect((await initialize('1999-01-01')).body?.result?.['protocolVersion']).toBe(LATEST_PROTOCOL_VERSION);
    const undeclared = ['logging/setLevel', 'prompts/list', 'completion/complete', 'resources/subscribe'];
    for (const method of undeclared) expect((await send(method)).body?.error?.code, method).toBe(-32_601);
  });

  it('PKG-058 hold for ping and tools', async () => {
    expect((await send('ping')).body?.result).toEqual({});
    const tools = (await send('tools/list')).body?.result?.['tools'] as Record<string, unknown>[];
    expect(tools).toHaveLength(10);
    for (const tool of tools) {
      expect(tool['name']).toMatch(/^[a-z_]{1,64}$/);
      expect(tool).toMatchObject({
        description: expect.any(String) as string,
        inputSchema: { type: 'object', properties: expect.any(Object) as object },
      });
    }
    const failed = await send('tools/call', { name: 'get_candles', arguments: { symbol: 'NOSUCHUSDT' } });
    expect(failed.body?.result).toMatchObject({ isError: true, content: [{ type: 'text' }] });
    const unknown = await send('tools/call', { name: 'test_simple_text', arguments: {} });
    expect(unknown.body?.error).toMatchObject({ code: -32_602 });
    expect(unknown.body?.error?.message).toContain('tools/list has all names');
  });

  it('PKG-058 hold for resources', async () => {
    const resources = (await send('resources/list')).body?.result?.['resources'] as Record<string, string>[];
    for (const { uri = '', name } of resources) {
      expect(URL.canParse(uri)).toBe(true);
      expect(name).not.toBe('');
    }
    const templates = (await send('resources/templates/list')).body?.result?.['resourceTemplates'];
    expect(templates).toEqual([expect.objectContaining({ uriTemplate: 'sextant://help/{slug}' })]);
    const read = await send('resources/read', { uri: resources[0]?.['uri'] });
    expect(read.body?.result?.['contents']).toEqual([
      { uri: resources[0]?.['uri'], mimeType: 'text/markdown', text: expect.stringMatching(/^# /) as string },
    ]);
  });

  it('PKG-058 hold for rebinding: an origin of another site is rejected, the own one is not', async () => {
    const origins = ['http://evil.example', 'https://localhost.evil.example', 'null'];
    for (const origin of origins) expect((await send('ping', {}, { origin })).status, origin).toBe(403);
    expect((await send('ping', {}, { origin: baseUrl })).status).toBe(200);
  });
});
