import { createContext, type ReactNode, useContext, useId } from 'react';
import { problemWords } from '../problemWords.ts';
import type { RowProblem } from './rowProblems.ts';

interface Problems {
  problems: readonly RowProblem[];
  /** Else they are warnings. */
  isError: boolean;
}

const RowContext = createContext<Problems & { id: string }>({ problems: [], isError: false, id: '' });

/** Ties the fields inside to the sentences of their problems, which `ProblemNotes` shows. */
export function ProblemFields({ problems, isError, children }: Problems & { children: ReactNode }) {
  const id = useId();
  return <RowContext value={{ problems, isError, id }}>{children}</RowContext>;
}

const noteId = (id: string, { line, column }: RowProblem): string => `${id} ${line} ${column}`.replaceAll(' ', '-');

/**
 * State of a field for its element: invalid and described by what is wrong with it.
 * @param fields its names in `RowProblem`
 * @param ownId of an error that the field itself shows
 */
export function useFieldState(
  fields: readonly string[],
  ownId?: string,
): { 'aria-invalid': boolean; 'aria-describedby': string | undefined } {
  const { problems, isError, id } = useContext(RowContext);
  const found = problems.filter((problem) => problem.fields.some((field) => fields.includes(field)));
  const ids = [...(ownId === undefined ? [] : [ownId]), ...found.map((problem) => noteId(id, problem))];
  return {
    'aria-invalid': ownId !== undefined || (isError && found.length > 0),
    'aria-describedby': ids.length === 0 ? undefined : ids.join(' '),
  };
}

/** Errors or warnings of a row, in the words of the editor. */
export function ProblemNotes({ problems }: Pick<Problems, 'problems'>) {
  const { isError, id } = useContext(RowContext);
  return problems.map((problem) => (
    <p
      key={noteId(id, problem)}
      id={noteId(id, problem)}
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
