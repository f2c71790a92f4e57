import { allVocabularyProblems } from './vocabulary.ts';

/** Fails when a comment, a test title or a text of the page uses a word that docs/naming.md replaces. Arguments: files to read, else all. */
const problems = allVocabularyProblems(process.argv.slice(2));
for (const problem of problems) console.error(problem);
console.log(`replaced words: ${problems.length}`);
process.exit(problems.length === 0 ? 0 : 1);
