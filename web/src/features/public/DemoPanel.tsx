import { type ComponentType, useEffect, useState } from 'react';
import { ErrorState } from '../../ui/Panel.tsx';
import { whenQuiet } from '../../ui/whenQuiet.ts';
import { DemoFrame } from './DemoFrame.tsx';

type Loaded = { status: 'waiting' } | { status: 'failed' } | { status: 'ready'; Live: ComponentType };

/** Where engine, chart and candles come only after the page is painted and quiet: they are no part of its first load. */
export function DemoPanel() {
  const [loaded, setLoaded] = useState<Loaded>({ status: 'waiting' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    const load = () => {
      performance.mark('demo-start');
      import('./demo/LiveDemo.tsx').then(
        ({ LiveDemo }) => {
          if (isCurrent) setLoaded({ status: 'ready', Live: LiveDemo });
        },
        () => {
          if (isCurrent) setLoaded({ status: 'failed' });
        },
      );
    };
    const cancel = whenQuiet(load);
    return () => {
      isCurrent = false;
      cancel();
    };
  }, [attempt]);

  if (loaded.status === 'ready') return <loaded.Live />;
  if (loaded.status === 'waiting')
    return <DemoFrame aside="starts by itself" chart={<div className="skeleton absolute inset-4 opacity-30" />} />;
  const retry = () => {
    setLoaded({ status: 'waiting' });
    setAttempt(attempt + 1);
  };
  return <DemoFrame words={<ErrorState text="The engine could not be loaded." onRetry={retry} />} />;
}
