import type { App } from '../http/app.ts';
import { rejectionError } from '../http/rejectionError.ts';

/** The picture is the body: there is no name, path or form part to validate. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'application/octet-stream'] as const;

/** Makes a separate scope whose routes take a picture as their body, and nothing else. */
export function parsePictures(scope: App): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser([...pictureTypes], { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
  scope.addContentTypeParser('*', (_request, _payload, parsed) =>
    parsed(rejectionError('unsupported_media_type', `Send ${pictureTypes.slice(0, 3).join(', ')}.`)),
  );
}
