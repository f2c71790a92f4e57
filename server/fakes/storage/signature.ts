import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface Key {
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
export function isSigned(request: IncomingMessage, { accessKeyId, secretAccessKey }: Key): boolean {
  const header = request.headers.authorization ?? '';
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      header,
    );
  if (found === null || found[1] !== accessKeyId) return false;
  const [, , day = '', region = '', names = '', signature = ''] = found;
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
