/**
 * Settings of glibc's allocator, which reads them when a process starts. By itself it raises the size from which a block is given back to
 * the system to 32 MiB and has eight arenas a core: columns and request bodies that were freed then stay with the process. Minutes of
 * searches, portfolio runs and uploaded files took 750 MiB instead of 547 (docs/bench.md).
 */
export const mallocSettings: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/**
 * Replaces this process by one with the settings: the same program, arguments and process id. Does nothing outside Linux, and where the
 * settings or others are active already.
 */
export function startWithMallocSettings(): void {
  const { platform, env, execPath, execArgv, argv } = process;
  const isSet = Object.keys(mallocSettings).some((name) => env[name] !== undefined);
  if (platform !== 'linux' || isSet) return;
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, ...mallocSettings });
}
