import { averages } from './indicators/averages.ts';
import { levels } from './indicators/levels.ts';
import { oscillators } from './indicators/oscillators.ts';
import { trends } from './indicators/trends.ts';
import { volumes } from './indicators/volumes.ts';
import { voteEntries } from './indicators/votes.ts';
import type { IndicatorEntry, Parameters, VoteEntry } from './registryTypes.ts';
import { voteIds } from './voteExports.ts';

/**
 * Every indicator once: name, parameters, first defined candle, outputs and meaning. The API, the command line, the web's hover texts and
 * docs/indicators.md all read this list.
 */

const own: readonly IndicatorEntry[] = [...averages, ...oscillators, ...trends, ...volumes, ...levels];

const aliases: readonly IndicatorEntry[] = [
  alias('sma20', 'sma', 20),
  alias('sma50', 'sma', 50),
  alias('ema12', 'ema', 12),
  alias('ema26', 'ema', 26),
  alias('ema50', 'ema', 50),
  alias('ema200', 'ema', 200),
];

export const registry: readonly IndicatorEntry[] = [...own, ...aliases];
export const indicatorIds: readonly string[] = registry.map((entry) => entry.id);
const byId = new Map(registry.map((entry) => [entry.id, entry]));

export function indicatorEntry(id: string): IndicatorEntry | undefined {
  return byId.get(id);
}

/** Vote rules in the engine's vote order: voteRegistry[VOTE_RSI].id is 'rsi'. */
export const voteRegistry: readonly VoteEntry[] = voteIds.map((id) => {
  const entry = voteEntries.find((candidate) => candidate.id === id);
  if (entry === undefined) throw new Error(`the vote ${id} has no registry entry`);
  return entry;
});

export type ResolvedParameters = { ok: true; params: Parameters } | { ok: false; name: string; message: string };

type Parametrised = Pick<IndicatorEntry, 'id' | 'parameters' | 'check' | 'alias'>;

/** Defaults with `overrides` applied; rejects an unknown name, a value outside the bounds and a fraction of a candle. */
export function resolveParameters(entry: Parametrised, overrides: Parameters = {}): ResolvedParameters {
  const known = entry.parameters.map((parameter) => parameter.name);
  for (const [name, value] of Object.entries(overrides)) {
    const parameter = entry.parameters.find((candidate) => candidate.name === name);
    if (parameter === undefined) {
      const takes = known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`;
      return { ok: false, name, message: `is not a parameter of ${entry.id}: ${takes}` };
    }
    const { min, max, isInteger } = parameter;
    if (!(value >= min && value <= max) || (isInteger && !Number.isInteger(value))) {
      const kind = isInteger ? 'a whole number' : 'a number';
      return { ok: false, name, message: `is ${value}, must be ${kind} from ${min} to ${max}` };
    }
  }
  const params = { ...defaultParameters(entry), ...overrides, ...entry.alias?.params };
  const broken = entry.check?.(params);
  return broken === undefined ? { ok: true, params } : { ok: false, ...broken };
}

export const defaultParameters = ({ parameters }: Pick<Parametrised, 'parameters'>): Parameters =>
  Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.default]));

/** Parameter values in the order the kernel reads them. */
export function kernelParameters(entry: IndicatorEntry, params: Parameters): number[] {
  const owner = entry.alias === undefined ? entry : indicatorEntry(entry.alias.of);
  return (owner ?? entry).parameters.map((parameter) => params[parameter.name] ?? parameter.default);
}

/** First candle at which every output is defined; the earliest possible one when it depends on the candles. */
export function warmupOf(entry: IndicatorEntry, params: Parameters): number {
  return Math.max(...entry.outputs.map((output) => output.warmup(params)));
}

function alias(id: string, of: string, period: number): IndicatorEntry {
  const entry = own.find((candidate) => candidate.id === of);
  if (entry === undefined) throw new Error(`alias ${id} names the unknown entry ${of}`);
  const outputs = entry.outputs.map((output) => ({ ...output, name: id }));
  return {
    ...entry,
    id,
    title: `${entry.title} of ${period}`,
    parameters: [],
    outputs,
    alias: { of, params: { period } },
  };
}
