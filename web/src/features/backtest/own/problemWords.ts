import type { RuleProblem } from '@sextant/workers/src/rules/problems.ts';

/** An error or warning as a sentence, the same in the editor and in the list below it. */
export const problemWords = ({ message, fix }: Pick<RuleProblem, 'message' | 'fix'>): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}. Fix: ${fix}.`;
