import type { IncomingMessage, ServerResponse } from 'node:http';
import { faultNames, FaultRule, type FaultSwitch } from './faults.ts';
import type { RequestLog } from './requestLog.ts';

interface Controlled {
  faults: FaultSwitch;
  requests: RequestLog;
}

/**
 * Switches faults from outside:
 * `GET /__control/faults` lists what is on and what there is, `POST` adds a rule, `DELETE` removes all;
 * `GET /__control/requests` shows the last requests, `DELETE` forgets them.
 */
export async function answerControl(
  { faults, requests }: Controlled,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const call = `${request.method ?? 'GET'} ${path}`;
  switch (call) {
    case 'GET /__control/faults':
      json(response, 200, { active: faults.list(), known: faultNames });
      return;
    case 'POST /__control/faults':
      await addFault(faults, request, response);
      return;
    case 'DELETE /__control/faults':
      faults.clear();
      json(response, 200, { active: [] });
      return;
    case 'GET /__control/requests':
      json(response, 200, { requests: requests.all() });
      return;
    case 'DELETE /__control/requests':
      requests.clear();
      json(response, 200, { requests: [] });
      return;
    default:
      json(response, 404, { error: `there is no ${call}` });
  }
}

async function addFault(faults: FaultSwitch, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parsed = FaultRule.safeParse(await readJson(request));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    json(response, 400, { error: `${issue?.path.join('.') ?? 'body'}: ${issue?.message ?? 'is not valid'}` });
    return;
  }
  faults.add(parsed.data);
  json(response, 200, { active: faults.list() });
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > 10_000) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
