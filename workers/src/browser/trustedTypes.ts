/** The part of the browser's interface used here; TypeScript does not declare it. */
interface TrustedTypes {
  createPolicy: (name: string, rules: Record<'createHTML' | 'createScriptURL', (text: string) => string>) => unknown;
}

/**
 * The one policy of the pages (`require-trusted-types-for 'script'`): text becomes no HTML, and scripts of workers come from the page's
 * own origin. Import it before anything that starts a worker or renders.
 */
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
trustedTypes?.createPolicy('default', {
  createHTML(html) {
    // React empties an element with it.
    if (html === '') return html;
    throw new TypeError('HTML is not made of text');
  },
  createScriptURL(url) {
    if (new URL(url, location.href).origin === location.origin) return url;
    throw new TypeError('scripts come from the own origin');
  },
});

// zod tries `new Function` before it compiles a schema, which the policy reports as a violation. It reads this before its first schema.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

export {};
