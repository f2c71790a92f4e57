import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { baseUrlOf, type Config } from '../../config.ts';
import { createRefusal } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import { refusalError } from '../../platform/http/refusalError.ts';
import { unknownNameText } from '../../platform/unknownName.ts';
import type { ApiAccess } from '../apiKeys/apiAccess.ts';
import { type InnerCall, type Tool, tools } from './tools.ts';
import { listedTools, readArguments } from './toolSchemas.ts';

export interface McpDeps {
  config: Config;
  version: string;
  api: Pick<ApiAccess, 'findKeyId'>;
}

const path = '/mcp';
const bodyBytesMax = 64 * 1024;

const instructions =
  'Market data, signals and backtests of simulated crypto futures trading. Every backtest and every search comes with an honesty verdict ' +
  'that says how much of the result luck explains. Always report that verdict with the result.';

/** The API key of a request: `x-api-key`, or `Authorization: Bearer`, which most clients of this protocol send. */
function keyOf({ headers }: FastifyRequest): string | undefined {
  const own = headers['x-api-key'];
  if (own !== undefined) return String(own);
  return /^Bearer (sx_\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** Calls the API as the caller, with the scopes, address list, hourly limit, credits and log of the caller's key. */
const createCaller =
  (app: App, { ip }: FastifyRequest, key: string) =>
  (call: InnerCall) =>
    app.inject({
      method: call.method,
      url: call.path,
      headers: { 'x-api-key': key },
      remoteAddress: ip,
      ...withoutUndefined({ payload: call.body }),
    });
type Caller = ReturnType<typeof createCaller>;

const textOf = (text: string, isError = false): CallToolResult => ({ content: [{ type: 'text', text }], isError });

/** Converts the API response into a tool result. An API error becomes a tool error with the same message. */
async function runTool(
  { callOf, answerOf }: Tool,
  input: Record<string, unknown>,
  call: Caller,
): Promise<CallToolResult> {
  const response = await call(callOf(input as never));
  const data = response.json<{ code?: string; message?: string }>();
  if (response.statusCode !== 200) {
    const wait = response.headers['retry-after'];
    const hint = wait === undefined ? '' : ` Try again in ${wait} s.`;
    return textOf(`${data.code ?? 'internal'}: ${data.message ?? 'The call failed.'}${hint}`, true);
  }
  const answer = answerOf(data as never, input as never);
  const json = JSON.stringify(answer.data);
  return textOf(answer.words === undefined ? json : `${answer.words}\n\n${json}`);
}

const toolOf = (name: unknown): Tool | undefined => tools.find((tool) => tool.name === name);

function createMcpServer(
  version: string,
  run: (tool: Tool, input: Record<string, unknown>) => Promise<CallToolResult>,
) {
  // The high-level successor validates arguments before the key, with its own messages.
  // oxlint-disable-next-line typescript/no-deprecated
  const server = new Server(
    { name: 'sextant', title: 'Sextant', version },
    { instructions, capabilities: { tools: {} } },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...listedTools] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = toolOf(params.name);
    if (tool === undefined) {
      const names = tools.map(({ name }) => name);
      throw new McpError(ErrorCode.InvalidParams, `Tool ${params.name}: ${unknownNameText(params.name, names)}`);
    }
    const input = readArguments(tool, params.arguments);
    return input.ok ? run(tool, input.value) : textOf(`validation_failed: ${input.error}`, true);
  });
  return server;
}

/** Whether a message makes an API call, which checks and counts the key. */
function isJudgedInside(body: unknown): boolean {
  const message = body as { method?: unknown; params?: { name?: unknown; arguments?: unknown } } | null;
  if (message?.method !== 'tools/call') return false;
  const tool = toolOf(message.params?.name);
  return tool !== undefined && readArguments(tool, message.params?.arguments).ok;
}

/** Checks and counts the key of a message that makes no API call. False when it was rejected and the response sent. */
async function admitKey(call: Caller, reply: FastifyReply): Promise<boolean> {
  const judged = await call({ method: 'GET', path: '/api/account/whoami' });
  if (judged.statusCode === 200) return true;
  for (const name of ['retry-after', 'ratelimit', 'ratelimit-policy'])
    if (judged.headers[name] !== undefined) void reply.header(name, judged.headers[name]);
  void reply.code(judged.statusCode).type('application/problem+json').send(judged.body);
  return false;
}

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  void reply.code(response.status);
  for (const [name, value] of response.headers) void reply.header(name, value);
  return reply.send(Buffer.from(await response.arrayBuffer()));
}

/**
 * `/mcp`: the tools of an agent (Model Context Protocol, Streamable HTTP without sessions). It accepts API keys only, so that no web page
 * can use it with a cookie. Each message counts as one call of the key.
 */
export function mcpRoutes(app: App, { config, version, api }: McpDeps): void {
  const origin = new URL(baseUrlOf(config)).origin;
  /** Runs before the body is read: only a known key may send a long one. */
  async function onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { origin: from } = request.headers;
    if (from !== undefined && from !== origin)
      throw refusalError('origin_refused', 'This page may not call the MCP server.');
    const key = keyOf(request);
    void reply.header('www-authenticate', 'Bearer');
    if (key === undefined)
      throw refusalError('not_authenticated', 'Send an API key as x-api-key or as a Bearer token.');
    if ((await api.findKeyId(request.ip, key)) !== undefined) return;
    if (await admitKey(createCaller(app, request, key), reply))
      throw refusalError('not_authenticated', 'Invalid or missing API key.');
  }

  app.post(path, { bodyLimit: bodyBytesMax, onRequest, schema: { hide: true } }, async (request, reply) => {
    const { headers, body } = request;
    const key = keyOf(request) ?? '';
    if (Array.isArray(body))
      return sendProblem(reply, createRefusal('validation_failed', 'Send one message at a time.'));
    const call = createCaller(app, request, key);
    if (!isJudgedInside(body) && !(await admitKey(call, reply))) return reply;
    void reply.removeHeader('www-authenticate');
    const server = createMcpServer(version, (tool, input) => runTool(tool, input, call));
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      const url = new URL(path, origin);
      const asked = new Request(url, {
        method: 'POST',
        headers: headers as Record<string, string>,
        body: JSON.stringify(body),
      });
      return await sendResponse(reply, await transport.handleRequest(asked, { parsedBody: body }));
    } finally {
      await server.close();
    }
  });
  // Without sessions there is no stream to open or end.
  app.route({
    method: ['GET', 'DELETE'],
    url: path,
    schema: { hide: true },
    handler: (_request, reply) =>
      sendProblem(
        reply.header('allow', 'POST'),
        createRefusal('method_not_allowed', 'This MCP server has no sessions: send every message by POST.'),
      ),
  });
}
