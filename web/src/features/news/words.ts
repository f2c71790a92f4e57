import { messageOf } from '../../api/failure.ts';
import { formatCount } from '../../format/number.ts';

const LOAD_FAILED = 'Failed to load news';

/** `Failed to load news`, with the reason where the server gives one. */
export function loadFailure(failure: unknown): string {
  const why = messageOf(failure, '');
  return why === '' ? LOAD_FAILED : `${LOAD_FAILED}: ${why}`;
}

/** `1 story`, `12 stories` */
export const storiesText = (count: number): string => `${formatCount(count)} ${count === 1 ? 'story' : 'stories'}`;
