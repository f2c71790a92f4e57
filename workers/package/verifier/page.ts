import { compileEngine } from '../../src/engine/engine.ts';
import { type ProofKeys } from '../../src/proof/contract.ts';
import { readKeys, type ProofReport, verifyProof } from '../../src/proof/verifyProof.ts';
import { startEngine, type TaskEngine } from '../../src/tasks/index.ts';

/** The script of the stand-alone verifier. The engine lies in the page as base64 of its gzip: nothing is loaded. */

const byId = (id: string): HTMLElement => {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no #${id}.`);
  return element;
};

async function unpackEngine(): Promise<TaskEngine> {
  const text = byId('engine').textContent.trim();
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return startEngine(await compileEngine(new Uint8Array(await new Response(stream).arrayBuffer())));
}

const engine = unpackEngine();
let keys: ProofKeys | undefined;
let proof: { name: string; bytes: Uint8Array } | undefined;

const signs = { agrees: '✓', differs: '✗', open: '?' } as const;
const stateWords = { agrees: 'agrees', differs: 'differs', open: 'not compared' } as const;

function show(name: string, { isValid, line, checks, proof: read }: ProofReport): void {
  const verdict = byId('verdict');
  verdict.textContent = line;
  verdict.className = isValid ? 'good' : 'bad';
  byId('file').textContent = name;
  byId('checks').replaceChildren(
    ...checks.map(({ name: of, state, words }) => {
      const row = document.createElement('tr');
      const head = document.createElement('th');
      head.scope = 'row';
      head.textContent = of;
      const cells = [`${signs[state]} ${stateWords[state]}`, words].map((text) => {
        const cell = document.createElement('td');
        cell.textContent = text;
        return cell;
      });
      row.append(head, ...cells);
      return row;
    }),
  );
  const facts = byId('facts');
  facts.textContent = '';
  if (read === null) return;
  const { market, tried, issuer, issuedAt, key } = read;
  facts.textContent = [
    `${market.symbol ?? market.label ?? 'Own candles'} ${market.interval}${market.exchange === null ? '' : `, ${market.exchange}`}`,
    `Signed ${issuedAt} by ${issuer}, key ${key.id}`,
    `Tried before on these candles: ${tried.trials} sets, ${tried.looks} results viewed`,
  ].join('\n');
}

function fail(text: string): void {
  byId('verdict').textContent = text;
  byId('verdict').className = 'bad';
  byId('checks').replaceChildren();
  byId('facts').textContent = '';
}

async function verify(): Promise<void> {
  if (proof === undefined) return;
  byId('verdict').className = '';
  byId('verdict').textContent = 'Running the backtest again…';
  // The run holds the thread: the text is painted first.
  await new Promise((resolve) => setTimeout(resolve, 30));
  const options = { engine: await engine };
  show(proof.name, await verifyProof(proof.bytes, keys === undefined ? options : { ...options, keys }));
}

/** A file of keys has `keys`, everything else is read as a proof. */
async function take(files: Iterable<File>): Promise<void> {
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const published = readKeys(new TextDecoder().decode(bytes));
    if (published.ok) {
      keys = published.value;
      byId('keys').textContent = `Published keys: ${keys.keys.length}, from ${file.name}`;
    } else proof = { name: file.name, bytes };
  }
  try {
    await verify();
  } catch (cause) {
    fail(`The verifier failed: ${(cause as Error).message}`);
  }
}

const input = byId('input') as HTMLInputElement;
input.addEventListener('change', () => void take(input.files ?? []));
const drop = document.documentElement;
drop.addEventListener('dragover', (event) => event.preventDefault());
drop.addEventListener('drop', (event) => {
  event.preventDefault();
  void take(event.dataTransfer?.files ?? []);
});
