import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { failWith, ok, type Result } from '../core/result.ts';
import type { BacktestResult } from '../protocol/backtest.ts';
import type { TaskResult } from '../protocol/taskResult.ts';
import { backtestFromWire, rulesFromWire } from '../protocol/wire/backtest.ts';
import { firstIssue } from '../protocol/wire/issue.ts';
import { toWireError } from '../protocol/wire/wireError.ts';
import { runTask, type TaskEngine } from '../tasks/index.ts';
import { canonicalText, withoutSpacing } from './canonicalJson.ts';
import {
  type Proof,
  type ProofKeys,
  ProofKeysWire,
  ProofRequestWire,
  type ProofResult,
  ProofWire,
  proofResultOf,
} from './contract.ts';

export const checkNames = ['file', 'signature', 'key', 'engine', 'candles', 'rules and costs', 'result'] as const;

export interface ProofCheck {
  name: (typeof checkNames)[number];
  /** `open`: neither confirmed nor refuted, such as a key that was not compared. */
  state: 'agrees' | 'differs' | 'open';
  words: string;
}

export interface ProofReport {
  isValid: boolean;
  /** The verdict in one line. */
  line: string;
  checks: ProofCheck[];
  proof: Proof | null;
}

export interface VerifyOptions {
  engine: TaskEngine;
  /** Published by the installation: read beforehand, because the verifier works offline. */
  keys?: ProofKeys;
}

/** Verifies a proof by its signature and by running it again. Never throws for a bad file. */
export async function verifyProof(bytes: Uint8Array, { engine, keys }: VerifyOptions): Promise<ProofReport> {
  const read = readProof(bytes);
  if (!read.ok) return reportOf([{ name: 'file', state: 'differs', words: read.error }], null, false);
  const { proof, isSpaced, isCanonical } = read.value;
  const file: ProofCheck = isCanonical
    ? { name: 'file', state: 'agrees', words: isSpaced ? 'Only spacing was changed, no content.' : 'Unchanged form.' }
    : { name: 'file', state: 'differs', words: 'Numbers, names or their order are not as the server writes them.' };
  const signed = [await checkSignature(proof), checkKey(proof, keys)];
  return reportOf([file, ...signed, ...rerun(proof, engine)], proof, isCanonical && isSpaced);
}

interface ReadProof {
  proof: Proof;
  isCanonical: boolean;
  isSpaced: boolean;
}

function readProof(bytes: Uint8Array): Result<ReadProof, string> {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    return failWith('The file is not JSON in UTF-8.');
  }
  const parsed = ProofWire.safeParse(value);
  if (!parsed.success) {
    const { field, message } = firstIssue(parsed.error);
    return failWith(`The file is no proof: ${field === '' ? message : `${field}: ${message}`}.`);
  }
  const canonical = canonicalText(value);
  const isSpaced = text !== canonical;
  return ok({ proof: parsed.data, isSpaced, isCanonical: !isSpaced || withoutSpacing(text) === canonical });
}

/** Reads the published keys. */
export function readKeys(text: string): Result<ProofKeys, string> {
  try {
    const parsed = ProofKeysWire.safeParse(JSON.parse(text));
    if (parsed.success) return ok(parsed.data);
    const { field, message } = firstIssue(parsed.error);
    return failWith(`The file has no keys: ${field}: ${message}.`);
  } catch {
    return failWith('The file of keys is not JSON.');
  }
}

async function checkSignature({ signature, ...unsigned }: Proof): Promise<ProofCheck> {
  const name = 'signature';
  const bytes = new TextEncoder().encode(canonicalText(unsigned));
  try {
    const publicKey = bytesOfHex(unsigned.key.publicKey);
    const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
    const isValid = await crypto.subtle.verify('Ed25519', key, bytesOfHex(signature), bytes);
    return isValid
      ? { name, state: 'agrees', words: 'Signed by the key of the file.' }
      : { name, state: 'differs', words: 'The content is not what was signed.' };
  } catch (cause) {
    // A browser without Ed25519 and a public key that is no point of the curve throw alike.
    const isMissing = !(await hasEd25519());
    return isMissing
      ? { name, state: 'differs', words: 'This browser has no Ed25519. Use a newer one, or `npx sextant verify`.' }
      : { name, state: 'differs', words: `The public key is invalid: ${(cause as Error).message}` };
  }
}

const bytesOfHex = (hex: string): Uint8Array<ArrayBuffer> => Uint8Array.from(hexToBytes(hex));

const hasEd25519 = (): Promise<boolean> =>
  crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']).then(
    () => true,
    () => false,
  );

function checkKey({ key: { id, publicKey }, issuer }: Proof, keys: ProofKeys | undefined): ProofCheck {
  const name = 'key';
  if (bytesToHex(sha256(bytesOfHex(publicKey))) !== id)
    return { name, state: 'differs', words: 'The id is not that of the public key.' };
  if (keys === undefined)
    return { name, state: 'open', words: `Key ${id} was not compared with those that ${issuer} publishes.` };
  const published = keys.keys.find((each) => each.id === id && each.public_key === publicKey);
  if (published === undefined) return { name, state: 'differs', words: 'The installation does not publish this key.' };
  const words = published.retired_at === null ? 'Published as the current key.' : 'Published as an earlier key.';
  return { name, state: 'agrees', words };
}

/** The rerun: engine, candles, rules and costs, result. */
function rerun({ request, result, market }: Proof, engine: TaskEngine): ProofCheck[] {
  const stated = result.hashes;
  const isSameBuild = stated.engine === engine.hash;
  const build: ProofCheck = isSameBuild
    ? { name: 'engine', state: 'agrees', words: 'The same build of the engine.' }
    : { name: 'engine', state: 'open', words: `Another build, ${stated.engine}; this one is ${engine.hash}.` };
  const ran = runAgain(request, engine);
  if (!ran.ok) return [build, { name: 'result', state: 'differs', words: `It does not run: ${ran.error}` }];
  const { hashes } = ran.value;
  return [
    build,
    compared('candles', hashes.data === stated.data, candleWords(market)),
    compared('rules and costs', hashes.params === stated.params, 'Rules and costs have the stated hash.'),
    resultCheck(ran.value, result),
  ];
}

/** Names the candles that the exchange revised. */
function candleWords({ revisions = [] }: Proof['market']): string {
  const hashed = 'Candles, fundings and mark prices have the stated hash.';
  if (revisions.length === 0) return hashed;
  return `${hashed} Revised by the exchange: ${revisions.map(({ at }) => at).join(', ')}.`;
}

const compared = (name: ProofCheck['name'], isEqual: boolean, words: string): ProofCheck =>
  isEqual ? { name, state: 'agrees', words } : { name, state: 'differs', words: 'The hash is not the stated one.' };

function resultCheck(ran: ProofResult, stated: Proof['result']): ProofCheck {
  const name = 'result';
  const own: Record<string, unknown> = { ...ran, hashes: ran.hashes.result };
  const theirs: Record<string, unknown> = { ...stated, hashes: stated.hashes.result };
  const fields = [...new Set([...Object.keys(own), ...Object.keys(theirs)])].sort();
  const different = fields.filter(
    (field) => canonicalText(own[field] ?? null) !== canonicalText(theirs[field] ?? null),
  );
  return different.length === 0
    ? {
        name,
        state: 'agrees',
        words: `${fields.length} figures and ${ran.tradeList.length} trades are equal to the bit.`,
      }
    : { name, state: 'differs', words: `Different: ${different.join(', ')}.` };
}

function runAgain(request: Proof['request'], engine: TaskEngine): Result<ProofResult, string> {
  const parsed = ProofRequestWire.safeParse(request);
  if (!parsed.success) {
    const { field, message } = firstIssue(parsed.error);
    return failWith(`${field}: ${message}`);
  }
  const { params, ...market } = backtestFromWire(parsed.data);
  const rules = rulesFromWire(parsed.data);
  const run = runTask(
    engine,
    rules === undefined
      ? { name: 'backtest', input: { ...market, params } }
      : { name: 'backtestStrategy', input: { ...market, ...rules } },
  ) as TaskResult<BacktestResult>;
  if (!run.ok) return failWith(toWireError(run.error).message);
  return ok(proofResultOf(run.value, parsed.data.params, { costs: market.costs, strategy: rules?.strategy }));
}

function reportOf(checks: ProofCheck[], proof: Proof | null, isSpacingChanged: boolean): ProofReport {
  const namesOf = (state: ProofCheck['state']): string =>
    listed(checks.filter((check) => check.state === state).map(({ name }) => name));
  const [agrees, differs] = [namesOf('agrees'), namesOf('differs')];
  const isValid = differs === '' && proof !== null;
  const notes = [
    isSpacingChanged ? 'Only spacing of the file was changed.' : '',
    checks.some(({ name, state }) => name === 'engine' && state === 'open')
      ? 'It was made by another engine build.'
      : '',
    proof !== null && checks.some(({ name, state }) => name === 'key' && state === 'open')
      ? `Key ${proof.key.id.slice(0, 16)} was not compared.`
      : '',
  ];
  const verdict = isValid
    ? `Verified. Agrees: ${agrees}.`
    : `Not verified. Differs: ${differs}.${agrees === '' ? '' : ` Agrees: ${agrees}.`}`;
  return { isValid, line: [verdict, ...notes].filter((part) => part !== '').join(' '), checks, proof };
}

const listed = (names: string[]): string => names.join(', ');
