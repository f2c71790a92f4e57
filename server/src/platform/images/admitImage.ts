import { IMAGE_BYTES_MAX, imageTooLargeText } from '@sextant/workers/src/core/limits.ts';
import { ok } from '@sextant/workers/src/core/result.ts';
import { type Outcome, reject } from '../errors.ts';
import { type ImageHeader, PIXELS_MAX, PIXELS_MAX_TEXT, readImageHeader, SIDE_MAX } from './imageHeader.ts';

/** Checks an upload without decoding it. */
export function admitImage(bytes: Buffer): Outcome<ImageHeader> {
  if (bytes.length === 0) return reject('image_refused', 'The file is empty.');
  if (bytes.length > IMAGE_BYTES_MAX) return reject('payload_too_large', imageTooLargeText);
  const header = readImageHeader(bytes);
  if (header === undefined) return reject('image_refused', 'Use a PNG, JPEG or WebP image.');
  const { width, height } = header;
  if (width > SIDE_MAX || height > SIDE_MAX || width * height > PIXELS_MAX) {
    return reject(
      'image_refused',
      `The image has ${width} × ${height} pixels; at most ${SIDE_MAX} on a side and ${PIXELS_MAX_TEXT} together.`,
    );
  }
  return ok(header);
}
