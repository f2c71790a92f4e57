import type { Engine } from '@sextant/workers/src/engine/engine.ts';

/** Processor time of this thread: on a busy machine it says more than the clock. */
export const cpuUs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};

type Kernels = readonly (keyof Engine['raw'])[];

/**
 * Processor time of this thread inside kernels, over that of all the work.
 * @param work run twice: the first run compiles
 */
export function kernelShare(engine: Engine, kernels: Kernels, work: () => void): number {
  let insideUs = 0;
  const timed =
    (call: (...input: unknown[]) => unknown) =>
    (...input: unknown[]) => {
      const startedUs = cpuUs();
      const response = call(...input);
      insideUs += cpuUs() - startedUs;
      return response;
    };
  const { raw } = engine;
  const measured = kernels.map((name) => [name, timed(raw[name] as (...input: unknown[]) => unknown)]);
  engine.raw = { ...raw, ...(Object.fromEntries(measured) as Partial<Engine['raw']>) };
  work();
  insideUs = 0;
  const startedUs = cpuUs();
  work();
  const share = insideUs / (cpuUs() - startedUs);
  engine.raw = raw;
  return share;
}
