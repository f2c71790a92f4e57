/** RFC 4180 as a spreadsheet reads it: quotes, doubled quotes, line ends inside of quotes. Rows of texts. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let rest = text;
  while (rest !== '') {
    const quoted = /^"((?:[^"]|"")*)"/.exec(rest);
    const cell = quoted?.[0] ?? /^[^,\n]*/.exec(rest)?.[0] ?? '';
    row.push(quoted === null ? cell : (quoted[1] ?? '').replaceAll('""', '"'));
    rest = rest.slice(cell.length);
    const end = rest[0];
    if (end !== ',' && end !== '\n') throw new Error(`text behind a cell: ${rest.slice(0, 20)}`);
    rest = rest.slice(1);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** Rows below a header as records by the names of the columns. */
export function readRecords(text: string): Record<string, string>[] {
  const [header = [], ...rows] = readCsv(text);
  return rows.map((cells) => {
    if (cells.length !== header.length) throw new Error(`${cells.length} cells under ${header.length} names`);
    return Object.fromEntries(header.map((name, i) => [name, cells[i] ?? '']));
  });
}
