import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { Router } from 'wouter';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { App } from './App.tsx';
import { queryClient } from './queryClient.ts';

/** The whole application. `path` is for a page that is written at build time, where there is no address bar. */
export function Root({ path }: { path?: string }) {
  return (
    <StrictMode>
      <ErrorBoundary place="page">
        <QueryClientProvider client={queryClient}>
          <Router {...(path === undefined ? {} : { ssrPath: path })}>
            <App />
          </Router>
        </QueryClientProvider>
      </ErrorBoundary>
    </StrictMode>
  );
}
