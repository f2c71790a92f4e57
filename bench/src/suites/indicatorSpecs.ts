import { kernelParameters, registry, resolveParameters } from '@sextant/engine-as/abi/registry.ts';

/** One case: an indicator of the registry at its default parameters. */
export interface IndicatorSpec {
  id: string;
  kind: number;
  /** The kernel's name: the id of the entry that an alias stands for. */
  kernel: string;
  params: number[];
  outputCount: number;
}

export const indicatorSpecs: readonly IndicatorSpec[] = registry.map((entry) => {
  const resolved = resolveParameters(entry);
  if (!resolved.ok) throw new Error(`the defaults of ${entry.id} are outside their own bounds: ${resolved.message}`);
  return {
    id: entry.id,
    kind: entry.kind,
    kernel: entry.alias?.of ?? entry.id,
    params: kernelParameters(entry, resolved.params),
    outputCount: entry.outputs.length,
  };
});
