import { format } from 'oxfmt';
import config from '../.oxfmtrc.json' with { type: 'json' };

/** As the repository's formatter writes it: a generated page must not fail the format check. */
export async function formatMarkdown(text: string): Promise<string> {
  const { printWidth, singleQuote } = config;
  const { code, errors } = await format('page.md', text, { printWidth, singleQuote });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return code;
}
