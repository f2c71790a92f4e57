import { breakoutTemplates } from './breakouts.ts';
import { clockTemplates } from './clocks.ts';
import { reversalTemplates } from './reversals.ts';
import type { RuleTemplate } from './template.ts';
import { trendTemplates } from './trends.ts';

/** Published strategies, by family. Measured verdicts, losers included: verdicts.gen.ts and docs/rules-templates.md. */
export const ruleTemplates: readonly RuleTemplate[] = [
  ...trendTemplates,
  ...breakoutTemplates,
  ...reversalTemplates,
  ...clockTemplates,
];
