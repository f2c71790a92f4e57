import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { failWith, ok, type Result } from '@sextant/workers/src/core/result.ts';
import { z } from 'zod';
import { unknownNameText } from '../../platform/unknownName.ts';
import { type Tool, tools } from './tools.ts';

function schemaOf({ name, input }: Tool): ListedTool['inputSchema'] {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    override({ jsonSchema }) {
      // Some clients reject it, and every name of a JSON object is a string anyway.
      delete jsonSchema.propertyNames;
    },
  });
  if (schema.type !== 'object' || schema.additionalProperties !== false)
    throw new Error(`the input of ${name} must be a strict object`);
  return schema as ListedTool['inputSchema'];
}

/** The tools as listed by `tools/list`. */
export const listedTools: readonly ListedTool[] = tools.map((tool) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: schemaOf(tool),
  annotations: { readOnlyHint: true, openWorldHint: false },
}));

/** Validated arguments, or the error of the first invalid one. */
export function readArguments({ input }: Tool, given: unknown): Result<Record<string, unknown>, string> {
  const read = input.safeParse(given ?? {});
  if (read.success) return ok(read.data);
  const [issue] = read.error.issues;
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0) {
    const [name = ''] = issue.keys;
    const known = Object.keys(input.shape);
    return failWith(`${name}: ${unknownNameText(name, known)} Arguments: ${known.join(', ')}.`);
  }
  const path = (issue?.path ?? []).map(String).join('.');
  const what = issue?.message ?? 'is not valid';
  return failWith(path === '' ? what : `${path}: ${what}`);
}
