import { useEffect, useRef } from 'react';
import { toast } from '../../../state/toasts.ts';

export const AUTO_SCAN_MS = 600_000;
/** Each scan costs one credit. */
export const AUTO_SCANS_PER_HOUR = 3_600_000 / AUTO_SCAN_MS;

interface Options {
  isEnabled: boolean;
  /** Credits to spend; undefined while it is not known. */
  credits: number | undefined;
  isScanning: boolean;
  start: () => void;
}

/** Scans every ten minutes while the tab is open and nothing else scans; at 0 credits it shows one message and waits for more. */
export function useAutoScan({ isEnabled, credits, isScanning, start }: Options): void {
  const now = useRef({ isScanning, start });
  useEffect(() => {
    now.current = { isScanning, start };
  });
  const isBroke = credits !== undefined && credits <= 0;
  useEffect(() => {
    if (!isEnabled) return;
    if (isBroke) {
      toast('No credits', 'error');
      return;
    }
    const timer = setInterval(() => {
      if (!now.current.isScanning) now.current.start();
    }, AUTO_SCAN_MS);
    return () => clearInterval(timer);
  }, [isEnabled, isBroke]);
}
