export interface Sample {
  labels: Record<string, string>;
  value: number;
}

/** Samples by name of a response in the text format of Prometheus. */
export type Samples = ReadonlyMap<string, readonly Sample[]>;

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: -?\d+)?$/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const escapes: Record<string, string> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' };

/** Lines that are no samples are skipped: the response of another program gives no samples. */
export function readSamples(text: string): Samples {
  const samples = new Map<string, Sample[]>();
  for (const each of text.split('\n')) {
    const [, name, labelText = '', valueText = ''] = line.exec(each) ?? [];
    const value = valueText === '+Inf' ? Infinity : valueText === '-Inf' ? -Infinity : Number(valueText);
    if (name === undefined || Number.isNaN(value)) continue;
    const labels: Record<string, string> = {};
    for (const [, key = '', raw = ''] of labelText.matchAll(label))
      labels[key] = raw.replaceAll(/\\[n"\\]/g, (escape) => escapes[escape] ?? escape);
    const known = samples.get(name);
    if (known === undefined) samples.set(name, [{ labels, value }]);
    else known.push({ labels, value });
  }
  return samples;
}

/** The value of the first sample with these labels. */
export function valueOf(samples: Samples, name: string, labels: Record<string, string> = {}): number | undefined {
  const wanted = Object.entries(labels);
  return samples.get(name)?.find((each) => wanted.every(([key, value]) => each.labels[key] === value))?.value;
}
