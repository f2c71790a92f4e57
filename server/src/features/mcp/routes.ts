import { Readable } from 'node:stream';
import { withoutUndefined } from '@sextant/workers/src/core/withoutUndefined.ts';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { FastifyReply, FastifyRequest, LightMyRequestResponse } from 'fastify';
import { baseUrlOf, type Config } from '../../config.ts';
import { listenToProgress, type OnProgress } from '../../platform/callProgress.ts';
import { createRejection } from '../../platform/errors.ts';
import type { App } from '../../platform/http/app.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import { rejectionError } from '../../platform/http/rejectionError.ts';
import { unknownNameText } from '../../platform/unknownName.ts';
import type { ApiAccess } from '../apiKeys/apiAccess.ts';
import { listResources, readResource, resourceTemplates } from './resources.ts';
import { RunningCalls } from './runningCalls.ts';
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
  'stating how much luck explains. Always report that verdict with the result.';

/** The API key of a request: `x-api-key`, or `Authorization: Bearer`, which most clients of this protocol send. */
function keyOf({ headers }: FastifyRequest): string | undefined {
  const own = headers['x-api-key'];
  if (own !== undefined) return String(own);
  return /^Bearer (sx_\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** Messages with a known key that made no API call yet: nothing has checked address and hour of the key, or counted the message. */
type Uncounted = WeakSet<FastifyRequest>;

/** Cancellation and progress of a call. */
interface CallWatch {
  signal?: AbortSignal;
  onProgress?: OnProgress | undefined;
}

/** Calls the API as the caller, with the scopes, address list, hourly limit, credits and log of the caller's key. */
const createCaller =
  (app: App, request: FastifyRequest, uncounted: Uncounted) =>
  (call: InnerCall, { signal, onProgress }: CallWatch = {}): Promise<LightMyRequestResponse> => {
    uncounted.delete(request);
    return listenToProgress(onProgress, async () => {
      // It starts when it is awaited, which has to happen here.
      const response = await app.inject({
        method: call.method,
        url: call.path,
        headers: { 'x-api-key': keyOf(request) ?? '' },
        remoteAddress: request.ip,
        ...withoutUndefined({ payload: call.body, signal }),
      });
      return response;
    });
  };
type Caller = ReturnType<typeof createCaller>;

const textOf = (text: string, isError = false): CallToolResult => ({ content: [{ type: 'text', text }], isError });

/** Converts the API response into a tool result. An API error becomes a tool error with the same message. */
async function runTool(
  { callOf, responseOf }: Tool,
  input: Record<string, unknown>,
  call: Caller,
  watch: CallWatch,
): Promise<CallToolResult> {
  const response = await call(callOf(input as never), watch).catch((error: unknown) => {
    if (watch.signal?.aborted === true) return undefined;
    throw error;
  });
  if (response === undefined) return textOf('cancelled: The call was cancelled.', true);
  const data = response.json<{ code?: string; message?: string }>();
  if (response.statusCode !== 200) {
    const wait = response.headers['retry-after'];
    const hint = wait === undefined ? '' : ` Try again in ${wait} s.`;
    return textOf(`${data.code ?? 'internal'}: ${data.message ?? 'The call failed.'}${hint}`, true);
  }
  const result = responseOf(data as never, input as never);
  const json = JSON.stringify(result.data);
  return textOf(result.words === undefined ? json : `${result.words}\n\n${json}`);
}

const toolOf = (name: unknown): Tool | undefined => tools.find((tool) => tool.name === name);

interface ServerOptions {
  version: string;
  call: Caller;
  signal: AbortSignal;
  /** Whether the response is a stream, which can carry progress. */
  isStreamed: boolean;
}

function createMcpServer({ version, call, signal, isStreamed }: ServerOptions) {
  // The high-level successor validates arguments before the key, with its own messages.
  // oxlint-disable-next-line typescript/no-deprecated
  const server = new Server(
    { name: 'sextant', title: 'Sextant', version },
    { instructions, capabilities: { tools: {}, resources: {} } },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...listedTools] }));
  server.setRequestHandler(ListResourcesRequestSchema, () => listResources(call));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => resourceTemplates);
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => readResource(params.uri, call));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendNotification }) => {
    const tool = toolOf(params.name);
    if (tool === undefined) {
      const names = tools.map(({ name }) => name);
      const text = unknownNameText(params.name, names, 'tools/list has all names');
      throw new McpError(ErrorCode.InvalidParams, `Tool ${params.name}: ${text}`);
    }
    const input = readArguments(tool, params.arguments);
    if (!input.ok) return textOf(`validation_failed: ${input.error}`, true);
    const token = params._meta?.progressToken;
    const onProgress =
      token === undefined || !isStreamed
        ? undefined
        : rising((progress, total) => {
            const notification = { progressToken: token, progress, total, message: `${progress} of ${total} sets` };
            // A client that has left needs no progress.
            sendNotification({ method: 'notifications/progress', params: notification }).catch(() => undefined);
          });
    return runTool(tool, input.value, call, { signal, onProgress });
  });
  return server;
}

/** Passes on what is more than before: the protocol demands that progress rises. */
function rising(report: OnProgress): OnProgress {
  let last = 0;
  return (done, total) => {
    if (done <= last) return;
    last = done;
    report(done, total);
  };
}

/** A message as far as it is read before the protocol's own checks. */
interface Message {
  id?: unknown;
  method?: unknown;
  params?: { name?: unknown; arguments?: unknown; requestId?: unknown; _meta?: { progressToken?: unknown } };
}

const messageOf = (body: unknown): Message => (typeof body === 'object' && body !== null ? body : {});

/** A call of a tool that will run and wants progress: its response is a stream. All others are one JSON document. */
function wantsProgress({ method, params }: Message): boolean {
  const tool = method === 'tools/call' ? toolOf(params?.name) : undefined;
  return tool !== undefined && params?._meta?.progressToken !== undefined && readArguments(tool, params.arguments).ok;
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

/** Sends a stream of server-sent events as they come. */
function sendStream(reply: FastifyReply, { status, headers, body }: Response): FastifyReply {
  void reply.code(status);
  for (const [name, value] of headers) void reply.header(name, value);
  return reply.send(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]));
}

const isStream = ({ headers }: Response): boolean => headers.get('content-type') === 'text/event-stream';

interface ResponderOptions {
  version: string;
  /** Address of this installation. */
  origin: string;
  callerOf: (request: FastifyRequest) => Caller;
}

/** Handles one message by a protocol server of its own: there are no sessions. */
function createResponder({ version, origin, callerOf }: ResponderOptions) {
  const running = new RunningCalls();
  return async function respond(request: FastifyRequest, reply: FastifyReply): Promise<Response> {
    const { headers, body } = request;
    const message = messageOf(body);
    const caller = JSON.stringify([request.ip, keyOf(request)]);
    if (message.method === 'notifications/cancelled') running.cancel(caller, message.params?.requestId);
    const stop = new AbortController();
    const isStreamed = wantsProgress(message);
    const { signal } = stop;
    const server = createMcpServer({ version, call: callerOf(request), signal, isStreamed });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !isStreamed });
    await server.connect(transport);
    const leave = running.add(caller, message.id, stop);
    // When a client leaves, its run must not occupy a thread.
    reply.raw.once('close', () => {
      leave();
      stop.abort();
      if (isStreamed) void server.close();
    });
    const requested = new Request(new URL(path, origin), {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: JSON.stringify(body),
    });
    const response = await transport.handleRequest(requested, { parsedBody: body });
    if (!isStream(response)) {
      leave();
      await server.close();
    }
    return response;
  };
}

/**
 * `/mcp`: the tools of an agent (Model Context Protocol, Streamable HTTP without sessions). It accepts API keys only, so that no web page
 * can use it with a cookie. Each message counts as one call of the key.
 */
export function mcpRoutes(app: App, { config, version, api }: McpDeps): void {
  const origin = new URL(baseUrlOf(config)).origin;
  const uncounted: Uncounted = new WeakSet();
  const callerOf = (request: FastifyRequest) => createCaller(app, request, uncounted);
  /** Counts a message that made no API call. False when its key was rejected and the response sent. */
  const countMessage = async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> =>
    !uncounted.has(request) || admitKey(callerOf(request), reply);
  /** Runs before the body is read: only a known key may send a long one. */
  async function onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { origin: from } = request.headers;
    if (from !== undefined && from !== origin)
      throw rejectionError('origin_refused', 'This origin may not call the MCP server.');
    const key = keyOf(request);
    void reply.header('www-authenticate', 'Bearer');
    if (key === undefined) throw rejectionError('not_authenticated', 'Send your API key as x-api-key or Bearer token.');
    if ((await api.findKeyId(request.ip, key)) !== undefined) return void uncounted.add(request);
    if (await admitKey(callerOf(request), reply))
      throw rejectionError('not_authenticated', 'Invalid or missing API key.');
  }

  /** A body that cannot be read never reaches the handler; its message counts all the same. */
  async function errorHandler(error: Error, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return (await countMessage(request, reply)) ? reply.send(error) : reply;
  }

  const respond = createResponder({ version, origin, callerOf });
  app.post(
    path,
    // Fastify awaits the error handler, though its type says void.
    // oxlint-disable-next-line typescript/no-misused-promises
    { bodyLimit: bodyBytesMax, onRequest, errorHandler, schema: { hide: true } },
    async (request, reply) => {
      const isBatch = Array.isArray(request.body);
      const response = isBatch ? undefined : await respond(request, reply);
      // Its tool makes the call that counts it.
      if (response !== undefined && isStream(response))
        return sendStream(reply.removeHeader('www-authenticate'), response);
      // Whether a message makes an API call is known afterwards: notifications and malformed messages make none, whatever they name.
      if (!(await countMessage(request, reply))) return reply;
      if (response === undefined)
        return sendProblem(reply, createRejection('validation_failed', 'Send one message at a time.'));
      return sendResponse(reply.removeHeader('www-authenticate'), response);
    },
  );
  // Without sessions there is no stream to open or end.
  app.route({
    method: ['GET', 'DELETE'],
    url: path,
    schema: { hide: true },
    handler: (_request, reply) =>
      sendProblem(
        reply.header('allow', 'POST'),
        createRejection('method_not_allowed', 'This MCP server is stateless: send every message by POST.'),
      ),
  });
}
