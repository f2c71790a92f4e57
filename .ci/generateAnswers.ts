import { buildEngine } from '../engine-as/build.ts';
import { documentedAnswers } from '../server/documentedAnswers.ts';

/** The answers that the documentation shows beside its examples. */
export async function answerFiles(): Promise<{ path: string; content: string }[]> {
  // The answers name the engine they were computed with.
  await buildEngine();
  return [
    {
      path: 'server/src/features/apiDocs/answers.gen.json',
      content: `${JSON.stringify(await documentedAnswers(), null, 2)}\n`,
    },
  ];
}
