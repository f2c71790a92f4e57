import { readHelp } from '../server/src/features/help/articles.ts';

/** Where the help explains each figure, indicator, vote, error and setting, for the links of the web. */
export async function helpFiles(): Promise<{ path: string; content: string }[]> {
  const { topics } = await readHelp();
  const lines = Object.entries(topics)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([topic, target]) => `  ${/^\w+$/.test(topic) ? topic : `'${topic}'`}: '${target}',`);
  const content = [
    '// Written by .ci/generateHelp.ts from docs/help and the registries. Do not edit.',
    '',
    '/** Article and anchor of each thing that the help explains. */',
    'export const helpTopics = {',
    ...lines,
    '} as const;',
    '',
  ].join('\n');
  return [{ path: 'web/src/ui/helpTopics.gen.ts', content }];
}
