const HEADING = '## Unreleased';

/**
 * The changelog with its unreleased part under the version and its UTC date, and an empty unreleased part above it.
 * @throws Error when nothing is unreleased or the version has a part already
 */
export function releasedChangelog(text: string, version: string, date: Date): string {
  const start = text.indexOf(`${HEADING}\n`);
  if (start === -1) throw new Error(`CHANGELOG.md has no "${HEADING}".`);
  if (text.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has ${version} already.`);
  const after = text.slice(start + HEADING.length + 1);
  const end = after.search(/^## /m);
  const unreleased = end === -1 ? after : after.slice(0, end);
  if (!/^- /m.test(unreleased)) throw new Error('CHANGELOG.md has nothing under "Unreleased".');
  return `${text.slice(0, start)}${HEADING}\n\n## ${version} (${date.toISOString().slice(0, 10)})\n${after}`;
}
