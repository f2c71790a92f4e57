import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { openApiDocument } from '../server/openApiDocument.ts';
import { clientFiles } from './generateClient.ts';

/** The public API document, and what the page and the client package know of it. */
export async function apiFiles(): Promise<{ path: string; content: string }[]> {
  const document = await openApiDocument();
  const ast = await openapiTS(document as unknown as OpenAPI3, { defaultNonNullable: false });
  return [
    { path: 'server/openapi.json', content: `${JSON.stringify(document, null, 2)}\n` },
    {
      path: 'web/src/api/schema.gen.ts',
      content: `// Written by .ci/generateApi.ts from server/openapi.json. Do not edit.\n\n${astToString(ast)}`,
    },
    ...(await clientFiles(document)),
  ];
}
