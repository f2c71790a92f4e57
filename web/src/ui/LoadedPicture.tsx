import { type ReactNode, useEffect, useState } from 'react';
import { isOffline, loadPausesMs } from './loadAgain.ts';
import { ErrorState } from './Panel.tsx';

/** A picture of a few hundred kilobytes that is not here by then is requested again. */
const PICTURE_MS_MAX = 20_000;

interface Props {
  src: string;
  alt: string;
  className?: string;
  /** Name in messages, as the subject of a sentence. */
  name?: string;
  /** Shown in its frame until it loads; the retry is beside it. An avatar has no room for a sentence. */
  standIn?: ReactNode;
  /** Requested when it comes near the window, so no deadline applies before. */
  isLazy?: boolean;
  /** CSS pixels, so that the content below does not move when the picture loads. */
  size?: { width: number; height: number };
}

/**
 * A picture whose failed request is repeated, and which then shows an error with a retry. The browser alone would show a broken image for
 * good.
 */
export function LoadedPicture(props: Props) {
  // Resets the state for another picture.
  return <Requested key={props.src} {...props} />;
}

type Status = 'requested' | 'shown' | 'pausing' | 'failed';

/** @param hasDeadline whether a slow request counts as failed */
function useRequests(hasDeadline: boolean) {
  const [tries, setTries] = useState(0);
  const [status, setStatus] = useState<Status>('requested');
  const pauseMs = loadPausesMs[tries];
  const fail = () => setStatus(pauseMs === undefined || isOffline() ? 'failed' : 'pausing');
  useEffect(() => {
    if (status === 'pausing') {
      const timer = setTimeout(() => {
        setTries((before) => before + 1);
        setStatus('requested');
      }, pauseMs);
      return () => clearTimeout(timer);
    }
    if (status !== 'requested' || !hasDeadline) return undefined;
    const timer = setTimeout(() => setStatus(pauseMs === undefined ? 'failed' : 'pausing'), PICTURE_MS_MAX);
    return () => clearTimeout(timer);
  }, [status, hasDeadline, pauseMs]);
  const retry = () => {
    setTries(0);
    setStatus('requested');
  };
  return { tries, status, fail, retry, take: () => setStatus('shown') };
}

function Requested({ src, alt, className = '', name = 'The picture', standIn, isLazy = false, size }: Props) {
  const { tries, status, fail, retry, take } = useRequests(!isLazy);
  /** The picture of a prerendered page may have loaded or failed before this ran. */
  const look = (image: HTMLImageElement | null) => {
    if (image?.complete !== true || status !== 'requested' || image.currentSrc === '') return;
    if (image.naturalWidth > 0) take();
    else fail();
  };
  if (status === 'requested' || status === 'shown')
    return (
      // Another element for each request: browsers do not request a failed one again.
      <img
        key={tries}
        ref={look}
        src={src}
        alt={alt}
        {...(isLazy ? { loading: 'lazy' as const } : {})}
        {...size}
        className={className}
        onLoad={take}
        onError={fail}
      />
    );
  const hasFailed = status === 'failed';
  const text = hasFailed ? `${name} could not be loaded.` : `${name} did not load. Trying again…`;
  if (standIn !== undefined)
    return (
      <div className="relative w-fit">
        {standIn}
        {hasFailed && (
          <button type="button" className="btn btn-small absolute inset-x-1 bottom-1" title={text} onClick={retry}>
            Load again
          </button>
        )}
      </div>
    );
  if (hasFailed) return <ErrorState text={text} onRetry={retry} />;
  return (
    <p role="status" className="p-3 text-muted">
      {text}
    </p>
  );
}
