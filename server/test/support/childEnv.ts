/** Larger young generation: otherwise garbage collection takes a tenth of the processor time of a start. */
export const startFlags: readonly string[] = ['--min-semi-space-size=16', '--max-semi-space-size=64'];

/** The environment a child process needs to start: paths, and the folder of compiled code. It opens no probe port and stops at once. */
const inherited = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
export const childEnv: Readonly<Record<string, string>> = { ...inherited, PROBE_PORT: '0', DRAIN_S: '0' };
