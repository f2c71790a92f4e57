import { useEffect, useRef, useState } from 'react';
import { toast } from '../../../state/toasts.ts';

/** SIG-040 */
export const AUTO_SCAN_MS = 600_000;
/** X48: a credit each. */
export const AUTO_SCANS_PER_HOUR = 3_600_000 / AUTO_SCAN_MS;

interface Options {
  isEnabled: boolean;
  /** Credits to spend; undefined while it is not known. */
  credits: number | undefined;
  isScanning: boolean;
  start: () => void;
}

/** Scans every ten minutes while the tab is open and nothing else scans; at 0 credits it says so once and waits for more. @returns when the next one is due, epoch ms */
export function useAutoScan({ isEnabled, credits, isScanning, start }: Options): number | null {
  const now = useRef({ isScanning, start });
  useEffect(() => {
    now.current = { isScanning, start };
  });
  const [dueMs, setDueMs] = useState<number | null>(null);
  const isBroke = credits !== undefined && credits <= 0;
  useEffect(() => {
    if (!isEnabled) return;
    if (isBroke) {
      toast('No credits', 'error');
      return;
    }
    setDueMs(Date.now() + AUTO_SCAN_MS);
    const timer = setInterval(() => {
      setDueMs(Date.now() + AUTO_SCAN_MS);
      if (!now.current.isScanning) now.current.start();
    }, AUTO_SCAN_MS);
    return () => {
      clearInterval(timer);
      setDueMs(null);
    };
  }, [isEnabled, isBroke]);
  return dueMs;
}
