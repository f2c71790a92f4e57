import type { PictureKind } from '../../api/profile.ts';

interface Props {
  kind: PictureKind;
  url: string | null;
  /** Whose it is; its first letter stands in for a missing avatar. */
  name: string;
  className?: string;
}

const shapes = { avatar: 'aspect-square', cover: 'aspect-[3/1]' };
/** A cover that is not there need not take the room of one. */
const emptyShapes = { avatar: 'aspect-square', cover: 'h-24' };
const words = { avatar: 'Profile picture', cover: 'Cover image' };

/** A picture in the frame the server cuts it to, or a quiet surface of the same size. */
export function Picture({ kind, url, name, className = '' }: Props) {
  if (url !== null) {
    return (
      <img src={url} alt={`${words[kind]} of ${name}`} className={`block object-cover ${shapes[kind]} ${className}`} />
    );
  }
  return (
    <div
      aria-hidden="true"
      className={`grid place-items-center overflow-hidden bg-row-hover text-figure font-semibold text-muted ${emptyShapes[kind]} ${className}`}
    >
      {kind === 'avatar' && (Array.from(name)[0] ?? '').toUpperCase()}
    </div>
  );
}
