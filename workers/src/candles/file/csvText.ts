export interface CsvProblem {
  line: number;
  /** The column's name, when the problem is in one cell. */
  column?: string;
  text: string;
}

/** `Line 7, column close: ...`, the form in which every problem is shown. */
export function problemText({ line, column, text }: CsvProblem): string {
  return `Line ${line}${column === undefined ? '' : `, column ${column}`}: ${text}`;
}

/** A foreign text inside a message, short and in quotes. */
export function quoted(text: string): string {
  return `"${text.length > 24 ? `${text.slice(0, 24)}…` : text}"`;
}

/** Splits one line. A cell may be in double quotes; a quote not closed in its line is a problem. */
export function splitLine(text: string, separator: string): string[] | { problem: string } {
  if (!text.includes('"')) return text.split(separator).map((cell) => cell.trim());
  const cells: string[] = [];
  let rest = text;
  for (;;) {
    const match = /^\s*"((?:[^"]|"")*)"\s*/.exec(rest);
    const end = match === null ? endOfPlain(rest, separator) : match[0].length;
    const cell = match === null ? rest.slice(0, end).trim() : (match[1] ?? '').replaceAll('""', '"').trim();
    if (match === null && cell.includes('"')) return { problem: 'close the quotation mark' };
    cells.push(cell);
    rest = rest.slice(end);
    if (rest === '') return cells;
    if (!rest.startsWith(separator)) return { problem: `remove the text after the quoted cell ${quoted(cell)}` };
    rest = rest.slice(separator.length);
  }
}

function endOfPlain(rest: string, separator: string): number {
  const at = rest.indexOf(separator);
  return at < 0 ? rest.length : at;
}
