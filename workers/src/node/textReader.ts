import { Worker } from 'node:worker_threads';
import type { TextSheet } from '../vision/textLines.ts';
import type { ReadCharacters, RecognisedLine } from '../vision/readText.ts';

export interface TextRequest {
  id: number;
  width: number;
  height: number;
  grey: Uint8Array;
  /** Only these can be read; all when empty. */
  characters: string;
}

/** `lines` is null when the sheet could not be read. */
export interface TextResponse {
  id: number;
  lines: RecognisedLine[] | null;
}

export class TextFailure extends Error {
  readonly reason: 'timeout' | 'failed';
  constructor(reason: 'timeout' | 'failed') {
    super(`Text reader: ${reason}`);
    this.reason = reason;
  }
}

/** The OCR reader in a separate thread, which costs about 150 MB until `end` is called. */
export interface TextReader {
  read: ReadCharacters;
  end: () => Promise<void>;
}

/** Starts loading at once. Everything that is not read `deadlineMs` after the start rejects with a TextFailure. */
export function startTextReader(deadlineMs: number): TextReader {
  const worker = new Worker(new URL('./textWorker.ts', import.meta.url));
  let nextId = 0;
  const waiting = new Map<number, PromiseWithResolvers<RecognisedLine[]>>();
  let failure: TextFailure | null = null;
  const fail = (reason: TextFailure['reason']): void => {
    failure ??= new TextFailure(reason);
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  };
  const timer = setTimeout(() => fail('timeout'), deadlineMs);
  worker.on('error', () => fail('failed'));
  worker.on('exit', () => fail('failed'));
  worker.on('message', ({ id, lines }: TextResponse) => {
    const waiter = waiting.get(id);
    waiting.delete(id);
    if (lines === null) waiter?.reject(new TextFailure('failed'));
    else waiter?.resolve(lines);
  });
  return {
    read: ({ width, height, grey }: TextSheet, characters: string) => {
      if (failure !== null) return Promise.reject(failure);
      const response = Promise.withResolvers<RecognisedLine[]>();
      waiting.set(nextId, response);
      worker.postMessage({ id: nextId++, width, height, grey, characters } satisfies TextRequest);
      return response.promise;
    },
    end: async () => {
      clearTimeout(timer);
      await worker.terminate();
    },
  };
}
