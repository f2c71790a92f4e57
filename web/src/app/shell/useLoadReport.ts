import { useEffect } from 'react';
import { fetchPrivacy, reportLoad } from '../../api/account.ts';

/** When the page has nothing better to do. */
const WAIT_MS = 5000;

/** From the click or the typed address to the end of loading; undefined while it still loads. */
function loadMs(): number | undefined {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return entry === undefined || entry.loadEventEnd === 0 ? undefined : entry.loadEventEnd - entry.startTime;
}

let isReported = false;

async function report(): Promise<void> {
  const responseTime = loadMs();
  if (isReported || responseTime === undefined) return;
  isReported = true;
  if ((await fetchPrivacy()).analytics) await reportLoad(responseTime);
}

/** Reports the load time of this page once, for users who allow analytics. A failed report is ignored. */
export function useLoadReport(): void {
  useEffect(() => {
    const timer = setTimeout(() => void report().catch(() => undefined), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
}
