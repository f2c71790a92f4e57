import { requirementProblems } from './requirements.ts';

/** Fails when a requirement is marked built without a test, or something is cited that is not in the repository. */
const problems = requirementProblems();
for (const problem of problems) console.error(problem);
console.log(`requirements and citations: ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
