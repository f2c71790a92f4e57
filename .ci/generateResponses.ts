import { buildEngine } from '../engine-as/build.ts';
import { documentedResponses } from '../server/documentedResponses.ts';

/** Example responses shown in the API documentation. */
export async function responseFiles(): Promise<{ path: string; content: string }[]> {
  // The responses name the engine version that computed them.
  await buildEngine();
  return [
    {
      path: 'server/src/features/apiDocs/responses.gen.json',
      content: `${JSON.stringify(await documentedResponses(), null, 2)}\n`,
    },
  ];
}
