import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** Fault from now on: none, every call rate-limited, or no response. */
export type StorageScenario = 'ok' | 'slowDown' | 'hang';

export interface StorageFake {
  url: string;
  bucket: string;
  /** Key of an object to its bytes. */
  objects: Map<string, Buffer>;
  setScenario: (scenario: StorageScenario) => void;
  close: () => Promise<void>;
}

/**
 * One bucket in memory that speaks the REST protocol of Amazon S3, path-style, with signatures checked: PutObject (with
 * If-None-Match), GetObject, HeadObject, DeleteObject and ListObjectsV2.
 */
export async function startStorage(key: Key, bucket = 'profiles'): Promise<StorageFake> {
  const objects = new Map<string, Buffer>();
  let scenario: StorageScenario = 'ok';
  const server = createServer((request, response) => {
    if (scenario === 'hang') return;
    void respond(request, response, { key, bucket, objects, isBusy: scenario === 'slowDown' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    bucket,
    objects,
    setScenario: (next) => {
      scenario = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface State {
  key: Key;
  bucket: string;
  objects: Map<string, Buffer>;
  isBusy: boolean;
}

const escape = (text: string): string => text.replace(/[<>&]/g, (one) => `&#${one.charCodeAt(0)};`);

function fail(response: ServerResponse, status: number, code: string): void {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${code}</Message><RequestId>fake</RequestId></Error>`;
  response.writeHead(status, { 'content-type': 'application/xml', 'x-amz-request-id': 'fake' }).end(body);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  return request.headers['content-encoding']?.includes('aws-chunked') === true ? unchunk(raw) : raw;
}

/** `aws-chunked`: size in hex, an optional signature, the bytes; trailers after the last one. */
function unchunk(raw: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < raw.length;) {
    const lineEnd = raw.indexOf('\r\n', at);
    const size = Number.parseInt(raw.toString('latin1', at, lineEnd), 16);
    if (!(size > 0)) break;
    parts.push(raw.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

async function respond(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const body = await readBody(request);
  if (state.isBusy) {
    fail(response, 503, 'SlowDown');
    return;
  }
  if (!isSigned(request, state.key)) {
    fail(response, 403, 'SignatureDoesNotMatch');
    return;
  }
  const url = new URL(request.url ?? '/', 'http://storage');
  const [, bucket = '', ...rest] = url.pathname.split('/').map(decodeURIComponent);
  if (bucket !== state.bucket) {
    fail(response, 404, 'NoSuchBucket');
    return;
  }
  const name = rest.join('/');
  if (name === '' && request.method === 'GET') {
    list(response, url.searchParams.get('prefix') ?? '', state);
    return;
  }
  if (request.method === 'PUT') {
    put(request, response, { name, body, objects: state.objects });
    return;
  }
  if (request.method === 'DELETE') {
    state.objects.delete(name);
    response.writeHead(204).end();
    return;
  }
  const match = state.objects.get(name);
  if (match === undefined) {
    fail(response, 404, 'NoSuchKey');
    return;
  }
  const headers = { 'content-type': 'image/webp', 'content-length': String(match.length), etag: etagOf(match) };
  response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : match);
}

const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;

function put(
  request: IncomingMessage,
  response: ServerResponse,
  { name, body, objects }: { name: string; body: Buffer; objects: Map<string, Buffer> },
): void {
  if (request.headers['if-none-match'] === '*' && objects.has(name)) {
    fail(response, 412, 'PreconditionFailed');
    return;
  }
  objects.set(name, body);
  response.writeHead(200, { etag: etagOf(body) }).end();
}

function list(response: ServerResponse, prefix: string, { bucket, objects }: State): void {
  const contents = [...objects]
    .filter(([name]) => name.startsWith(prefix))
    .map(
      ([name, bytes]) =>
        `<Contents><Key>${escape(name)}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><Size>${bytes.length}</Size></Contents>`,
    );
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucket}</Name><Prefix>${escape(prefix)}</Prefix><KeyCount>${contents.length}</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`;
  response.writeHead(200, { 'content-type': 'application/xml' }).end(body);
}

interface Key {
  accessKeyId: string;
  secretAccessKey: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Every byte but the unreserved ones, as AWS wants it. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Whether a request is signed with this key. Signature Version 4 as AWS documents it ("Create a signed AWS API request"), built
 * here from the request alone.
 */
function isSigned(request: IncomingMessage, { accessKeyId, secretAccessKey }: Key): boolean {
  const header = request.headers.authorization ?? '';
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      header,
    );
  if (match === null || match[1] !== accessKeyId) return false;
  const [, , day = '', region = '', names = '', signature = ''] = match;
  const url = new URL(request.url ?? '/', 'http://storage');
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`);
  const canonical = [
    request.method,
    url.pathname,
    query,
    headers.join(''),
    names,
    String(request.headers['x-amz-content-sha256'] ?? ''),
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', String(request.headers['x-amz-date'] ?? ''), scope, sha256(canonical)].join('\n');
  const key = hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, day), region), 's3'), 'aws4_request');
  return timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'));
}
