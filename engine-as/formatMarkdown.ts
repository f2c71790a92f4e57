import { format } from 'oxfmt';

/** As the repository's formatter writes it: a generated page must not fail the format check. */
export async function formatMarkdown(text: string): Promise<string> {
  const { code, errors } = await format('page.md', text, { printWidth: 120 });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return code;
}
