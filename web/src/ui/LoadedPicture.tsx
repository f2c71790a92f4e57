import { type ReactNode, useEffect, useRef, useState } from 'react';
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
  /** Requested when it comes near the window; the deadline starts when it is in it. */
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

/** @param isLazy whether the browser sends the first request only when the picture comes near the window */
function useRequests(isLazy: boolean) {
  const [tries, setTries] = useState(0);
  const [status, setStatus] = useState<Status>('requested');
  const image = useRef<HTMLImageElement>(null);
  const [isSeen, setSeen] = useState(!isLazy);
  const isRequestedLate = isLazy && tries === 0;
  useEffect(() => {
    if (isSeen || status !== 'requested' || image.current === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(image.current);
    return () => observer.disconnect();
  }, [isSeen, status]);
  const hasDeadline = isSeen || !isRequestedLate;
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
    const timer = setTimeout(() => {
      // Ends the request: the next one would join it.
      image.current?.removeAttribute('src');
      setStatus(pauseMs === undefined ? 'failed' : 'pausing');
    }, PICTURE_MS_MAX);
    return () => clearTimeout(timer);
  }, [status, hasDeadline, pauseMs]);
  const retry = () => {
    setTries(0);
    setStatus('requested');
  };
  const take = () => setStatus('shown');
  /** The picture of a prerendered page may have loaded or failed before this ran. */
  const look = (result: HTMLImageElement | null) => {
    image.current = result;
    if (result?.complete !== true || status !== 'requested' || result.currentSrc === '') return;
    if (result.naturalWidth > 0) take();
    else fail();
  };
  return { tries, status, isRequestedLate, look, take, fail, retry };
}

function Requested({ src, alt, className = '', name = 'The picture', standIn, isLazy = false, size }: Props) {
  const { tries, status, isRequestedLate, look, take, fail, retry } = useRequests(isLazy);
  if (status === 'requested' || status === 'shown')
    return (
      // Another element for each request: browsers do not request a failed one again.
      <img
        key={tries}
        ref={look}
        src={src}
        alt={alt}
        {...(isRequestedLate ? { loading: 'lazy' as const } : {})}
        {...size}
        className={className}
        onLoad={take}
        onError={fail}
      />
    );
  const hasFailed = status === 'failed';
  const text = hasFailed ? `${name} did not load.` : `${name} did not load. Trying again…`;
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
