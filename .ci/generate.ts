import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { generatedFiles as engineFiles, patternFile } from '../engine-as/generate.ts';
import { recordsFile } from '../engine-as/recordsFile.ts';
import { demoCandleFiles } from '../server/fakes/exchanges/demoCandles.ts';
import { sandboxMarketFiles } from '../server/fakes/exchanges/sandboxMarket.ts';
import { responseFiles } from './generateResponses.ts';
import { apiFiles } from './generateApi.ts';
import { figureFiles } from './generateFigures.ts';
import { helpFiles } from './generateHelp.ts';
import { schemaFile } from './generateSchema.ts';
import { requirementFiles } from './requirements.ts';
import { root } from './steps.ts';

/** `npm run generate` writes every generated file; `--check` fails when one differs from what its source says. */
const isCheck = process.argv.includes('--check');
const stale: string[] = [];

async function write({ path, content }: { path: string; content: string }): Promise<void> {
  const target = join(root, path);
  const present = await readFile(target, 'utf8').catch(() => undefined);
  if (present === content) return;
  stale.push(path);
  if (isCheck) return;
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, content);
}

// It needs a database. A test of the database, which has one anyway, is the check.
if (!isCheck) await write(await schemaFile());
// The engine is compiled with this file, and the warm-up table is computed with the engine.
await write(recordsFile());
// The sandbox reads its market from this file, and the documented responses are recorded from the sandbox.
for (const file of await sandboxMarketFiles()) await write(file);
const files = [
  ...(await engineFiles()),
  ...(await apiFiles()),
  ...(await helpFiles()),
  ...(await figureFiles()),
  ...demoCandleFiles(),
  ...(await responseFiles()),
  // Not in the repository: nothing to compare.
  ...(isCheck ? [] : [...(await requirementFiles()), await patternFile()]),
];
for (const file of files) await write(file);

if (isCheck && stale.length > 0) {
  console.error(`stale: ${stale.join(', ')}. Run npm run generate and commit the result.`);
  process.exit(1);
}
console.log(`${files.length + 2} generated files, ${stale.length} ${isCheck ? 'stale' : 'rewritten'}`);
// Some generators open pools for schema reading; nothing is left to do.
process.exit(0);
