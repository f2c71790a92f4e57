import { inOrder } from './indicators/parameters.ts';
import { DAY_MS } from './intervals.ts';
import { defaultParameters, indicatorEntry, resolveParameters, voteRegistry } from './registry.ts';
import type { Parameters, VoteEntry, VoteParameter } from './registryTypes.ts';

// The parameters of the votes of a strategy, from the one registry: which differ from the defaults, in which order the
// kernels read them, and how many candles they take. Not compiled to WASM.

/** Values by vote id and parameter name; an absent one is the registry's default. */
export type VoteParameters = Readonly<Record<string, Parameters>>;

/** The votes of a strategy. */
export interface WeighedVotes {
  weights: Readonly<Record<string, number>>;
  parameters?: VoteParameters | undefined;
}

/** Candles a live signal is computed from, unless its votes need more. */
export const SIGNAL_CANDLES = 500;
/** Candles over which agreement between votes is measured. */
export const REDUNDANCY_CANDLES = 200;
/** Look-backs after which a recursive average has faded what lay before its candles: e^-10 is left of Wilder's. */
const FADE_PERIODS = 10;

const camel = (text: string): string => text.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Every parameter of every vote in the order of the kernels' record. */
export const voteParameterSlots: readonly { vote: string; field: string; parameter: VoteParameter }[] =
  voteRegistry.flatMap(({ id, parameters }) =>
    parameters.map((parameter) => ({ vote: id, field: camel(`${id}_${parameter.name}`), parameter })),
  );

/** Every parameter of one vote: its own values, else the defaults. */
export const parametersOfVote = (vote: VoteEntry, parameters: VoteParameters = {}): Parameters => ({
  ...defaultParameters(vote),
  ...parameters[vote.id],
});

/** The record of the kernels (abi/records.ts). */
export const voteParameterRecord = (parameters: VoteParameters = {}): Float64Array<ArrayBuffer> =>
  Float64Array.from(
    voteParameterSlots,
    ({ vote, parameter: { name, default: value } }) => parameters[vote]?.[name] ?? value,
  );

/** Whether every vote gives the same, weighed or not. */
export function isSameParameters(a: VoteParameters | undefined, b: VoteParameters | undefined): boolean {
  const right = voteParameterRecord(b);
  return voteParameterRecord(a).every((value, slot) => value === right[slot]);
}

const isWeighed = (weights: Readonly<Record<string, number>>, id: string): boolean => (weights[id] ?? 0) !== 0;

/**
 * Parameters that affect the result: values other than the default, of votes with a weight, in the order of the registry. Undefined when
 * there are none, so that equal strategies serialise equally.
 */
export function decidingParameters({ weights, parameters }: WeighedVotes): VoteParameters | undefined {
  if (parameters === undefined) return undefined;
  const deciding: Record<string, Record<string, number>> = {};
  for (const { vote, parameter } of voteParameterSlots) {
    const value = parameters[vote]?.[parameter.name];
    if (value === undefined || value === parameter.default || !isWeighed(weights, vote)) continue;
    (deciding[vote] ??= {})[parameter.name] = value;
  }
  return Object.keys(deciding).length === 0 ? undefined : deciding;
}

export type ParameterRejection = { path: [vote: string, name?: string]; message: string } | undefined;

/** The first value that the registry does not allow. */
export function rejectParameters(parameters: VoteParameters): ParameterRejection {
  for (const [id, own] of Object.entries(parameters)) {
    const vote = voteRegistry.find((each) => each.id === id);
    if (vote === undefined || vote.parameters.length === 0) {
      const known = voteRegistry.filter((each) => each.parameters.length > 0).map((each) => each.id);
      return { path: [id], message: `is not a vote with parameters: those are ${known.join(', ')}` };
    }
    const { order } = vote;
    const resolved = resolveParameters(order === undefined ? vote : { ...vote, check: inOrder(order) }, own);
    if (!resolved.ok) return { path: [id, resolved.name], message: resolved.message };
  }
  return undefined;
}

/** First base candle at which every weighted vote can be defined; votes whose start depends on the candles may start later. */
export const votesWarmup = ({ weights, parameters }: WeighedVotes): number =>
  Math.max(
    0,
    ...voteRegistry
      .filter(({ id }) => isWeighed(weights, id))
      .map((vote) => vote.warmup(parametersOfVote(vote, parameters))),
  );

/**
 * Candles with which votes that read whole UTC days are defined at any hour: those days and the day of the candle itself; 0 without such
 * votes. @param stepMs length of a candle
 */
export function dayCandles({ weights }: WeighedVotes, stepMs: number): number {
  const before = Math.max(
    0,
    ...voteRegistry.filter(({ id }) => isWeighed(weights, id)).map(({ daysBefore = 0 }) => daysBefore),
  );
  return before === 0 ? 0 : Math.ceil(((before + 1) * DAY_MS) / stepMs);
}

/**
 * Candles of one interval that a live signal of these votes is computed from: they warm up at any hour of the day, settle, and leave some
 * to compare. @param stepMs length of a candle
 */
export function signalCandles(votes: WeighedVotes, stepMs: number): number {
  const { weights, parameters } = votes;
  const needed = voteRegistry.map((vote) => {
    if (!isWeighed(weights, vote.id)) return 0;
    const values = parametersOfVote(vote, parameters);
    const longest = Math.max(
      0,
      ...vote.parameters.filter(({ isLevel }) => !isLevel).map(({ name }) => values[name] ?? 0),
    );
    const fades = vote.indicators.some((id) => indicatorEntry(id)?.memory === 'recursive');
    return vote.warmup(values) + REDUNDANCY_CANDLES + (fades ? FADE_PERIODS * longest : 0);
  });
  const ofDays = dayCandles(votes, stepMs);
  const most = Math.max(...needed, ofDays === 0 ? 0 : ofDays + REDUNDANCY_CANDLES);
  return Math.max(SIGNAL_CANDLES, Math.ceil(most / 100) * 100);
}
