import type { RuleProblem } from '@sextant/workers/src/rules/problems.ts';

/** Part of a sentence; quoted text of the rules is code. */
export interface Words {
  text: string;
  isCode: boolean;
}

/** An error or warning as a sentence, the same in the editor and in the list below it. */
export function problemWords({ message, fix }: Pick<RuleProblem, 'message' | 'fix'>): Words[] {
  const first = `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return [
    ...first.split('`').map((text, i) => ({ text, isCode: i % 2 === 1 })),
    { text: `. Fix: ${fix}.`, isCode: false },
  ];
}

export const problemText = (problem: Pick<RuleProblem, 'message' | 'fix'>): string =>
  problemWords(problem)
    .map(({ text }) => text)
    .join('');
