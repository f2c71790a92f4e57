import { createProblems } from './problems.ts';
import { readTokens, significantTokens, type Token } from './tokens.ts';

const tight = new Set('( ) [ ] , . ..'.split(' '));
const operators = new Set('= == != < <= > >= + - * / %'.split(' '));

/**
 * The text in its canonical spelling: single spaces round operators, none inside brackets, lines that continue an expression indented by two.
 * Lines, comments and `;` stay. A text with characters that are not part of the language is returned as it is.
 */
export function formatRules(text: string): string {
  const problems = createProblems(text);
  const tokens = readTokens(text, problems);
  if (problems.count() > 0) return text;
  const ends = new Set(significantTokens(tokens).map(({ at }) => at.start));
  let line = '';
  const lines: string[] = [];
  let isContinued = false;
  tokens.forEach((token, i) => {
    if (token.kind === 'newline' || token.kind === 'end') {
      lines.push(line === '' ? '' : `${isContinued ? '  ' : ''}${line}`);
      isContinued = token.kind === 'newline' && line !== '' && !ends.has(token.at.start);
      line = '';
      return;
    }
    const before = tokens[i - 1];
    const isFirst = before === undefined || before.kind === 'newline';
    line += `${isFirst || !hasSpace(before, token, tokens[i - 2]) ? '' : ' '}${wordOf(token)}`;
  });
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

const wordOf = ({ kind, text }: Token): string => (kind === 'comment' ? text.trimEnd() : text);

function hasSpace(before: Token, token: Token, beforeThat?: Token): boolean {
  if (token.kind === 'comment') return true;
  if (tightBefore.has(token.text)) return false;
  // `3R`, and a sign that belongs to its number.
  if (token.text === 'R' && before.kind === 'number') return false;
  if (before.text === '-' && before.kind === 'symbol') return !isSign(beforeThat);
  if (token.text === '(') return before.kind === 'symbol' ? !opens(before) : isWordOperator(before);
  if (token.text === '[') return before.kind === 'number';
  return !opens(before);
}

const tightBefore = new Set('; , ) ] . ..'.split(' '));
/** Nothing stands between this token and the next. */
const opens = ({ kind, text }: Token): boolean => kind === 'symbol' && /^(\(|\[|\.|\.\.)$/.test(text);
const closes = ({ text }: Token): boolean => text === ')' || text === ']';
const isWordOperator = ({ text }: Token): boolean => /^(and|or|not|in|when)$/.test(text);
/** A minus behind this token is a sign. */
const isSign = (before?: Token): boolean =>
  before === undefined ||
  before.kind === 'newline' ||
  isWordOperator(before) ||
  (before.kind === 'symbol' && (operators.has(before.text) || (tight.has(before.text) && !closes(before))));
