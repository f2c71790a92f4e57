import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WEBHOOK_OVERLAP_HOURS } from '@sextant/workers/src/core/webhooks.ts';
import { builtInCostFraction, builtInRules } from '../server/src/features/aicheck/builtInAnalyst.ts';
import { guesses } from '../server/src/features/auth/signInLimits.ts';
import { facts, percent } from '../server/src/features/help/facts.ts';
import { requestTimesS } from '../server/src/platform/http/createServer.ts';
import { PIXELS_MAX_TEXT } from '../server/src/platform/images/imageHeader.ts';
import { root } from './steps.ts';

/** Written by hand, but for the figures between `<!-- {{spreadMax}} -->` and `<!-- / -->`. */
const documents = ['docs/signals.md', 'docs/security.md', 'docs/errors.md'];

/** Figures of the help articles, and those that only these documents name. */
const figures: Record<string, string | number> = {
  ...facts,
  webhookOverlapHours: WEBHOOK_OVERLAP_HOURS,
  headersSeconds: requestTimesS.headers,
  requestSeconds: requestTimesS.whole,
  wrongPasswordsMax: guesses.hitMax,
  signInLockMinutes: guesses.windowS / 60,
  pixelsMax: PIXELS_MAX_TEXT,
  rulesAgreement: percent(builtInRules.agreement.min),
  rulesFamilies: builtInRules.families.min,
  rulesCosts: percent(builtInCostFraction),
  rulesCostsMax: percent(builtInRules.costs.max),
  rulesStopMin: percent(builtInCostFraction / builtInRules.costs.max),
  rulesStopMax: percent(builtInRules.room.max),
  rulesReward: builtInRules.reward.min,
  rulesNoise: builtInRules.noise.min,
};

const figurePattern = /(<!-- \{\{(\w+)\}\} -->).*?(<!-- \/ -->)/g;

/** The documents with each marked figure as its owner has it, in the words of the help articles. */
export function withFigures(path: string, text: string): string {
  return text.replaceAll(figurePattern, (_all, start: string, name: string, end: string) => {
    const figure = figures[name];
    if (figure === undefined) throw new Error(`${path}: {{${name}}} has no owner`);
    return `${start}${figure}${end}`;
  });
}

export const figureFiles = (): Promise<{ path: string; content: string }[]> =>
  Promise.all(
    documents.map(async (path) => ({ path, content: withFigures(path, await readFile(join(root, path), 'utf8')) })),
  );
