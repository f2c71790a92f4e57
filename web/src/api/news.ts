import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';
import { queryKeys } from './queryKeys.ts';
import type { NewsSettings } from './types.ts';

/** Polling interval beside the events. */
const NEWS_POLL_MS = 15_000;
const FIGURES_POLL_MS = 60_000;

/** Stories shown, of the 50 fetched. */
export const NEWS_SHOWN = 15;

export interface NewsFilter {
  /** Null: all symbols. */
  symbol: string | null;
  source: string | null;
}
export const allNews: NewsFilter = { symbol: null, source: null };

/** Unread stories, newest first, with the state of the feeds and the analysis of the first. */
export function useNews({ symbol, source }: NewsFilter = allNews) {
  return useQuery({
    queryKey: queryKeys.news.list(symbol, source),
    queryFn: ({ signal }) => {
      const query = { ...(symbol === null ? {} : { symbol }), ...(source === null ? {} : { source }) };
      return dataOf(api.GET('/api/news', { params: { query }, signal }));
    },
    refetchInterval: NEWS_POLL_MS,
    placeholderData: keepPreviousData,
  });
}

export const markNewsRead = (body: { ids: string[] } | { all: true }) => dataOf(api.POST('/api/news/read', { body }));

export const useTweets = () =>
  useQuery({
    queryKey: queryKeys.news.tweets,
    queryFn: ({ signal }) => dataOf(api.GET('/api/news/tweets', { signal })),
    refetchInterval: NEWS_POLL_MS,
  });

export const useNewsMarket = () =>
  useQuery({
    queryKey: queryKeys.news.market,
    queryFn: ({ signal }) => dataOf(api.GET('/api/news/market', { signal })),
    refetchInterval: FIGURES_POLL_MS,
  });

export const useNewsSentiment = () =>
  useQuery({
    queryKey: queryKeys.news.sentiment,
    queryFn: ({ signal }) => dataOf(api.GET('/api/news/sentiment', { signal })),
    refetchInterval: FIGURES_POLL_MS,
  });

export const useNewsTrending = () =>
  useQuery({
    queryKey: queryKeys.news.trending,
    queryFn: ({ signal }) => dataOf(api.GET('/api/news/trending', { signal })),
    refetchInterval: FIGURES_POLL_MS,
  });

export const useNewsRecords = () =>
  useQuery({
    queryKey: queryKeys.news.records,
    queryFn: ({ signal }) => dataOf(api.GET('/api/news/records', { signal })),
    refetchInterval: FIGURES_POLL_MS,
  });

export const useNewsSettings = () =>
  useQuery({
    queryKey: queryKeys.news.settings,
    queryFn: ({ signal }) => dataOf(api.GET('/api/news/settings', { signal })),
    staleTime: 60_000,
  });

export const saveNewsSettings = (body: NewsSettings) => dataOf(api.PUT('/api/news/settings', { body }));

/** Stories about a symbol in a span, epoch ms. Nothing is fetched while the span is unknown. */
export function useNewsMarks(symbol: string, span: { fromMs: number; toMs: number } | undefined) {
  const { fromMs = 0, toMs = 0 } = span ?? {};
  return useQuery({
    queryKey: queryKeys.news.marks(symbol, fromMs, toMs),
    queryFn: async ({ signal }) => {
      const params = { query: { symbol, from: fromMs, to: toMs } };
      return (await dataOf(api.GET('/api/news/marks', { params, signal }))).marks;
    },
    enabled: span !== undefined,
    staleTime: NEWS_POLL_MS,
    placeholderData: keepPreviousData,
  });
}
