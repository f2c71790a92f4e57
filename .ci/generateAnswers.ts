import { buildEngine } from '../engine-as/build.ts';
import { documentedAnswers } from '../server/documentedAnswers.ts';

/** Example responses shown in the API documentation. */
export async function answerFiles(): Promise<{ path: string; content: string }[]> {
  // The responses name the engine version that computed them.
  await buildEngine();
  return [
    {
      path: 'server/src/features/apiDocs/answers.gen.json',
      content: `${JSON.stringify(await documentedAnswers(), null, 2)}\n`,
    },
  ];
}
