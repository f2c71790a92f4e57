import { PROBLEMS_MAX } from '@sextant/workers/src/rules/problems.ts';
import { RULES_TEXT_MAX } from '@sextant/workers/src/rules/compileRules.ts';
import { z } from 'zod';
import { IntervalName } from '../market/contract.ts';

/** Checks of own rules as text; docs/rules.md has the language. */

export const CheckRulesBody = z.strictObject({
  rules: z
    .string('must be text')
    .max(RULES_TEXT_MAX, `must be at most ${RULES_TEXT_MAX} characters`)
    .meta({ description: 'Own rules as text, such as `long when rsi(14) < 30`.' }),
  interval: IntervalName.default('1h').meta({
    description: 'Interval of the candles that decide. Intervals in the text must be longer.',
  }),
});

const RuleProblem = z.object({
  line: z.int().meta({ description: 'From 1.' }),
  column: z.int().meta({ description: 'From 1, in UTF-16 units.' }),
  length: z.int().meta({ description: 'Characters concerned; 0 at the end of the text.' }),
  message: z.string(),
  fix: z.string().meta({ description: 'What to write instead.' }),
});

export const CheckRulesResponse = z.object({
  ok: z.boolean().meta({ description: 'Whether the text can be run.' }),
  errors: z
    .array(RuleProblem)
    .meta({ description: `In order of position, at most ${PROBLEMS_MAX}. Empty: it can be run.` }),
  warnings: z
    .array(RuleProblem)
    .meta({ description: 'Valid rules that are probably a mistake. Empty when there are errors.' }),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        value: z.number(),
        from: z.number(),
        to: z.number(),
        step: z.number().meta({ description: '0: no range.' }),
        count: z.int().meta({ description: 'Values of the range; 1 without one.' }),
      }),
    )
    .meta({ description: 'In the order of the text.' }),
  setCount: z.int().meta({
    description:
      'Most sets that a search over the ranges tries: their grid, and the written values beside it. 1 without ranges, 0 with errors.',
  }),
  lookBack: z
    .array(z.object({ interval: z.string(), candles: z.int() }))
    .meta({ description: 'Candles read before the first decision, the base interval first.' }),
});
