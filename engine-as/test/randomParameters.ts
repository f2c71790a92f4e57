import { voteRegistry } from '../abi/registry.ts';
import type { VoteEntry, VoteParameter } from '../abi/registryTypes.ts';
import { rejectParameters } from '../abi/voteParameters.ts';

/** Seeded values of every parameter within the registry's bounds; look-backs up to `periodMax`. */
export function randomParameters(random: () => number, periodMax = 60): Record<string, Record<string, number>> {
  return Object.fromEntries(
    voteRegistry
      .filter(({ parameters }) => parameters.length > 0)
      .map((vote) => [vote.id, drawOf(vote, random, periodMax)]),
  );
}

function drawOf(vote: VoteEntry, random: () => number, periodMax: number): Record<string, number> {
  for (;;) {
    const drawn = Object.fromEntries(vote.parameters.map((each) => [each.name, valueOf(each, random, periodMax)]));
    if (rejectParameters({ [vote.id]: drawn }) === undefined) return drawn;
  }
}

function valueOf(parameter: VoteParameter, random: () => number, periodMax: number): number {
  const { min, isInteger, isLevel } = parameter;
  const max = isInteger ? Math.min(parameter.max, periodMax) : isLevel ? parameter.max : 4;
  if (isInteger) return min + Math.floor(random() * (max - min + 1));
  // Levels near their default, so that votes are cast: an RSI below 2 is never seen.
  const near = parameter.default * (0.5 + random());
  return Math.min(max, Math.max(min, Math.round(1000 * near) / 1000));
}
