import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { createWorker, OEM } from 'tesseract.js';
import type { RecognisedLine } from '../vision/readText.ts';
import type { TextRequest, TextResponse } from './textReader.ts';

/**
 * Host of the OCR reader. The reader runs in a nested thread, so that terminating this thread always ends both. Its code, its WASM and its
 * language come from installed packages: `langPath` is a folder and nothing is cached.
 */
const require = createRequire(import.meta.url);
const langPath = join(dirname(require.resolve('@tesseract.js-data/eng')), '4.0.0_best_int');
const ready = createWorker('eng', OEM.LSTM_ONLY, { langPath, cacheMethod: 'none', gzip: true, errorHandler: () => {} });

/** PGM, the plainest form of a grey picture. */
const pictureOf = ({ width, height, grey }: TextRequest): Buffer =>
  Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), grey]);

async function recognise(request: TextRequest): Promise<RecognisedLine[]> {
  const reader = await ready;
  await reader.setParameters({ tessedit_pageseg_mode: '6' as never, tessedit_char_whitelist: request.characters });
  const { data } = await reader.recognize(pictureOf(request), {}, { text: false, blocks: true });
  return (data.blocks ?? []).flatMap(({ paragraphs }) =>
    paragraphs.flatMap(({ lines }) =>
      lines.map(({ text, confidence, bbox }) => ({
        text: text.trim(),
        confidence: confidence / 100,
        middle: (bbox.y0 + bbox.y1) / 2,
      })),
    ),
  );
}

parentPort?.on('message', (request: TextRequest) => {
  recognise(request).then(
    (lines) => parentPort?.postMessage({ id: request.id, lines } satisfies TextResponse),
    () => parentPort?.postMessage({ id: request.id, lines: null } satisfies TextResponse),
  );
});
