import helmet from '@fastify/helmet';
import Fastify from 'fastify';

/** @param frameOrigins origins of the pages that ours show in a frame */
const contentSecurityPolicyOf = (frameOrigins: readonly string[]) => ({
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    // wasm-unsafe-eval allows compiling WebAssembly, not eval.
    scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
    workerSrc: ["'self'"],
    styleSrc: ["'self'"],
    styleSrcAttr: ["'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    frameSrc: frameOrigins.length === 0 ? ["'none'"] : [...frameOrigins],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
});

/** Response metadata headers; security headers are set elsewhere. */
const ownHeaders = new Set(['connection', 'content-length', 'content-type', 'date']);

/**
 * Helmet's headers as it sends them. They are the same for every answer of a server, and it puts them together anew for each, the
 * policy word by word: a fifth of the processor time of an answer from memory. So it is asked once.
 */
export async function securityHeadersOf(
  isHttps: boolean,
  frameOrigins: readonly string[] = [],
): Promise<Record<string, string>> {
  const probe = Fastify();
  await probe.register(helmet, {
    contentSecurityPolicy: contentSecurityPolicyOf(frameOrigins),
    hsts: isHttps ? { maxAge: 365 * 24 * 3600, includeSubDomains: false } : false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginEmbedderPolicy: false,
  });
  probe.get('/', () => '');
  const { headers } = await probe.inject('/');
  await probe.close();
  const found = Object.entries(headers).filter(([name]) => !ownHeaders.has(name));
  return Object.fromEntries(found.map(([name, value]) => [name, String(value)]));
}
