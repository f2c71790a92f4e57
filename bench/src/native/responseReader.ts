import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

const NEWLINE = 10;

/** Reads a child's responses, alternating lines and raw bytes. One request at a time. */
export class ResponseReader {
  #received = Buffer.alloc(0);
  #errors = '';
  #failure: Error | undefined;
  #wake: (() => void) | undefined;
  readonly #responseMsMax: number;

  constructor(child: ChildProcessByStdio<Writable, Readable, Readable>, responseMsMax: number) {
    this.#responseMsMax = responseMsMax;
    child.stdout.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake?.();
    });
    child.stderr.on('data', (chunk: Buffer) => (this.#errors += chunk.toString()));
    child.stdin.on('error', () => undefined); // a twin that ended reports itself through `close`
    child.once('error', (error) => this.#fail(error.message));
    child.once('close', (code) => this.#fail(`ended with code ${String(code)}: ${this.#errors.trim()}`));
  }

  /** The next line, without its end. @throws Error when the twin ends or does not respond, naming the request */
  async line(request: string): Promise<string> {
    let end = this.#received.indexOf(NEWLINE);
    while (end < 0) {
      await this.#more(request);
      end = this.#received.indexOf(NEWLINE);
    }
    return Buffer.from(this.#take(end + 1)).toString('utf8', 0, end);
  }

  /** The next `count` bytes. */
  async bytes(count: number, request: string): Promise<ArrayBuffer> {
    while (this.#received.length < count) await this.#more(request);
    return this.#take(count);
  }

  #take(count: number): ArrayBuffer {
    const taken = new Uint8Array(this.#received.subarray(0, count)).buffer;
    this.#received = this.#received.subarray(count);
    return taken;
  }

  async #more(request: string): Promise<void> {
    let deadline: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      deadline = setTimeout(() => this.#fail('no response in time'), this.#responseMsMax);
      if (this.#failure !== undefined) resolve();
    });
    clearTimeout(deadline);
    this.#wake = undefined;
    if (this.#failure !== undefined) throw new Error(`native twin, ${request}: ${this.#failure.message}`);
  }

  #fail(reason: string): void {
    this.#failure ??= new Error(reason);
    this.#wake?.();
  }
}
