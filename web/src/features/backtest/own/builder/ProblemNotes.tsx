import type { RuleProblem } from '@sextant/workers/src/rules/problems.ts';
import { problemWords } from '../problemWords.ts';

/** Errors or warnings of a row, in the words of the editor. */
export function ProblemNotes({ problems, isError }: { problems: readonly RuleProblem[]; isError: boolean }) {
  return problems.map((problem) => (
    <p
      key={`${problem.line} ${problem.column}`}
      className={`text-label wrap-anywhere ${isError ? 'text-down' : 'text-muted'}`}
    >
      {problemWords(problem).map(({ text, isCode }, i) =>
        isCode ? (
          <code key={i} className="font-mono">
            {text}
          </code>
        ) : (
          text
        ),
      )}
    </p>
  ));
}
