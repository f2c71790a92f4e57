import { existsSync } from 'node:fs';

/** The doctor reads an installation, so only the repository has it: the packed form is the engine alone. */
const program = new URL('../../../server/src/doctor.ts', import.meta.url);

/** Runs `npx sextant doctor`. @returns its exit code */
export async function openDoctor(words: readonly string[]): Promise<number> {
  if (!existsSync(program)) {
    process.stderr.write('doctor: run it in the folder of a Sextant installation\n');
    return 2;
  }
  const { doctor } = (await import(program.href)) as { doctor: (words: readonly string[]) => Promise<number> };
  return doctor(words);
}
