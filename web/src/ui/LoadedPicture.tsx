import { type ReactNode, useEffect, useState } from 'react';
import { isOffline, loadPausesMs } from './loadAgain.ts';
import { ErrorState } from './Panel.tsx';

/** A picture of a few hundred kilobytes that is not here by then is requested again. */
const PICTURE_MS_MAX = 20_000;

interface Props {
  src: string;
  alt: string;
  className?: string;
  /** What is said of it, as the subject of a sentence. */
  name?: string;
  /** Shown in its frame while there is none; beside it the retry. An avatar has no room for a sentence. */
  standIn?: ReactNode;
}

/** A picture that is requested again where it did not come, and then says so with a retry. The browser alone would show a hole for good. */
export function LoadedPicture(props: Props) {
  // Another picture begins anew.
  return <Requested key={props.src} {...props} />;
}

type Status = 'requested' | 'shown' | 'pausing' | 'failed';

function Requested({ src, alt, className = '', name = 'The picture', standIn }: Props) {
  const [tries, setTries] = useState(0);
  const [status, setStatus] = useState<Status>('requested');
  const pauseMs = loadPausesMs[tries];
  const fail = () => setStatus(pauseMs === undefined || isOffline() ? 'failed' : 'pausing');
  useEffect(() => {
    if (status !== 'pausing' && status !== 'requested') return undefined;
    const timer = setTimeout(
      () => {
        if (status === 'requested') setStatus(pauseMs === undefined ? 'failed' : 'pausing');
        else {
          setTries((before) => before + 1);
          setStatus('requested');
        }
      },
      status === 'requested' ? PICTURE_MS_MAX : pauseMs,
    );
    return () => clearTimeout(timer);
  }, [status, tries, pauseMs]);
  const retry = () => {
    setTries(0);
    setStatus('requested');
  };

  if (status === 'failed' || status === 'pausing') {
    const text = status === 'failed' ? `${name} could not be loaded.` : `${name} did not load. Trying again…`;
    if (standIn !== undefined)
      return (
        <div className="relative w-fit">
          {standIn}
          {status === 'failed' && (
            <button type="button" className="btn btn-small absolute inset-x-1 bottom-1" title={text} onClick={retry}>
              Load again
            </button>
          )}
        </div>
      );
    if (status === 'failed') return <ErrorState text={text} onRetry={retry} />;
    return (
      <p role="status" className="p-3 text-muted">
        {text}
      </p>
    );
  }
  // Another element: the browser does not request a failed one again.
  return <img key={tries} src={src} alt={alt} className={className} onLoad={() => setStatus('shown')} onError={fail} />;
}
