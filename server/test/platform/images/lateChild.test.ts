import { expect, it } from 'vitest';
import { createPictureReader } from '../../../src/features/vision/readPicture.ts';
import { createReencode } from '../../../src/platform/images/reencode.ts';
import { png } from '../../features/profile/pictures.ts';

/** A millisecond has passed before a process has started. */
const late = { deadlineMs: 1 } as Parameters<typeof createReencode>[0];
const busy = { ok: false, error: { code: 'overloaded', message: expect.stringContaining('Try again') as string } };
const damaged = { ok: false, error: { code: 'image_refused' } };

it('a picture whose process times out is a busy server (503), not a wrong image (422)', async () => {
  const image = await png();
  expect(await createReencode(late)(image, { width: 64, height: 64 })).toMatchObject(busy);
  const reader = createPictureReader(late as Parameters<typeof createPictureReader>[0]);
  expect(await reader(image, { userId: 'u', onProgress: () => undefined })).toMatchObject(busy);
});

it('a damaged picture is still a wrong image', async () => {
  const image = await png();
  const half = image.subarray(0, image.length / 2);
  const patient = { deadlineMs: 60_000 } as typeof late;
  expect(await createReencode(patient)(half, { width: 64, height: 64 })).toMatchObject(damaged);
});
