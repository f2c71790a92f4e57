import { type ApiScope, apiScopeNames } from '@sextant/workers/src/apiAccess.ts';
import { ApiFailure, messageOf } from '../../api/failure.ts';
import type { ApiKey } from '../../api/types.ts';

/** What a key may do, as it is typed. */
export interface KeyDraft {
  name: string;
  /** Separated by commas, as is `addresses`. */
  scopes: string;
  addresses: string;
  /** Credits a month; empty is no cap. */
  creditCap: string;
}

export const DEFAULT_KEY_NAME = 'Server key';
export const emptyDraft: KeyDraft = { name: DEFAULT_KEY_NAME, scopes: '', addresses: '', creditCap: '' };

export const draftOf = (key: ApiKey): KeyDraft => ({
  name: key.name,
  scopes: key.scopes.join(', '),
  addresses: key.ip_allowlist.join(', '),
  creditCap: key.credit_cap === null ? '' : String(key.credit_cap),
});

/** The entries of a list separated by commas, trimmed, without empty ones. */
export const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** The same list with an entry added, or without it. */
export function toggled(text: string, entry: string): string {
  const entries = listOf(text);
  return (entries.includes(entry) ? entries.filter((each) => each !== entry) : [...entries, entry]).join(', ');
}

/** The body of the request. Scopes that do not exist are left to the server to name. */
export function requestOf(draft: KeyDraft) {
  const cap = draft.creditCap.trim();
  return {
    name: draft.name.trim(),
    scopes: listOf(draft.scopes) as ApiScope[],
    ip_allowlist: listOf(draft.addresses),
    credit_cap: cap === '' ? null : Number(cap),
  };
}

export type DraftErrors = Partial<Record<keyof KeyDraft, string>>;

/** What can be told without the server. */
export function errorsOf(draft: KeyDraft): DraftErrors {
  const unknown = listOf(draft.scopes).find((scope) => !apiScopeNames.some((known) => known === scope));
  return {
    ...(draft.name.trim() === '' ? { name: 'A name is needed' } : {}),
    ...(unknown === undefined ? {} : { scopes: `${unknown} is no scope: press the ones below` }),
    ...(/^\d{0,7}$/.test(draft.creditCap.trim()) ? {} : { creditCap: 'Whole credits, or empty for no cap' }),
  };
}

const fieldOf: Record<string, keyof KeyDraft> = {
  name: 'name',
  scopes: 'scopes',
  ip_allowlist: 'addresses',
  credit_cap: 'creditCap',
};

/** The field that the server refused, with its words; undefined when it named none. */
export function refusedField(failure: unknown): DraftErrors | undefined {
  if (!(failure instanceof ApiFailure) || failure.field === undefined) return undefined;
  const field = fieldOf[failure.field.split('.', 1)[0] ?? ''];
  return field === undefined ? undefined : { [field]: messageOf(failure, 'This was refused').replace(/^[\w.]+: /, '') };
}
