import b from 'benny';

export interface Figure {
  /** Median sample, nanoseconds per operation. */
  operationNs: number;
  /** benny's relative margin of error as a fraction. */
  margin: number;
}

export interface CataloguedCase {
  name: string;
  operation: () => unknown;
}

/**
 * Per-operation figures by benny, for cases without a rival. Its ratios are not used: two runs of the same function differed by up to 37 %
 * there, so every ratio comes from the paired harness.
 */
export async function catalogue(suite: string, cases: readonly CataloguedCase[]): Promise<Map<string, Figure>> {
  const summary = await quietly(() =>
    b.suite(
      suite,
      b.configure({ cases: { minSamples: 10, maxTime: 0.3 } }),
      ...cases.map(({ name, operation }) => b.add(name, operation)),
    ),
  );
  return new Map(
    summary.results.map(({ name, details, margin }) => [
      name,
      { operationNs: details.median * 1e9, margin: margin / 100 },
    ]),
  );
}

/** benny announces itself on standard output, which holds results only here. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { log } = console;
  console.log = console.error;
  try {
    return await work();
  } finally {
    console.log = log;
  }
}
