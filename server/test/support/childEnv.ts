/** Room for what a start allocates: a tenth of its processor time is the collection of garbage otherwise. */
export const startFlags: readonly string[] = ['--min-semi-space-size=16', '--max-semi-space-size=64'];

/** What a process of its own needs of our environment to start: where things are, and where compiled code is kept. */
export const childEnv: Readonly<Record<string, string>> = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
