/** Errors and warnings of a rule text, each at its characters. */

/** Half-open range of UTF-16 offsets into the text. */
export interface Span {
  start: number;
  end: number;
}

export interface RuleProblem {
  /** 1-based; `\n`, `\r\n` and `\r` each end a line. */
  line: number;
  /** 1-based, in UTF-16 units, as editors count. One past the last character at the end of a line. */
  column: number;
  /** Characters concerned, 0 at the end of the text. */
  length: number;
  message: string;
  /** What to write instead. */
  fix: string;
}

/** Most errors, and most warnings, of one text. */
export const PROBLEMS_MAX = 20;

export interface Problems {
  /** @param fix a function where it takes work to find: only those of the list are called */
  report: (span: Span, message: string, fix: string | (() => string)) => void;
  count: () => number;
  /** In order of position, PROBLEMS_MAX at most; the first of several at one character. */
  list: () => RuleProblem[];
}

export function createProblems(text: string): Problems {
  const matches = new Map<number, { span: Span; message: string; fix: string | (() => string) }>();
  return {
    report: (span, message, fix) => {
      if (!matches.has(span.start)) matches.set(span.start, { span, message, fix });
    },
    count: () => matches.size,
    list: () => {
      const starts = lineStarts(text);
      return [...matches.values()]
        .sort((a, b) => a.span.start - b.span.start)
        .slice(0, PROBLEMS_MAX)
        .map(({ span, message, fix }) => {
          const start = Math.min(span.start, text.length);
          const line = starts.findLastIndex((one) => one <= start);
          const column = start - (starts[line] ?? 0) + 1;
          const length = Math.min(span.end, text.length) - start;
          return { line: line + 1, column, length, message, fix: typeof fix === 'string' ? fix : fix() };
        });
    },
  };
}

function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\r\n?|\n/g), (match) => match.index + match[0].length)];
}

/** Quoted excerpt for a message: control characters are written as escapes, long text is cut. */
export function quote(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 39)}…` : text;
  // Most texts are plain, and a text may have thousands of mistakes.
  if (plain.test(short)) return `\`${short}\``;
  return `\`${short.replaceAll(/[\p{Cc}\p{Cs}`]/gu, (one) => (one === '`' ? "'" : escapeOf(one)))}\``;
}

/** Printable ASCII without the mark of a quotation. */
const plain = /^[ -_a-~]*$/;

const escapeOf = (one: string): string => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
