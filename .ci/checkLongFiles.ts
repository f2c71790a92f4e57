import { longFileProblems } from './longFiles.ts';

/** Fails when a file is longer than 350 lines and its first comment does not say why. */
const problems = longFileProblems();
for (const problem of problems) console.error(problem);
console.log(`long files without a reason: ${problems.length}`);
process.exit(problems.length === 0 ? 0 : 1);
