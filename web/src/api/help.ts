import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';
import { queryKeys } from './queryKeys.ts';
import type { HelpChat } from './types.ts';
import { storeResponse } from './storeResponse.ts';

/** Articles change with a release. */
const FRESH_MS = 600_000;

export function useHelpCategories() {
  return useQuery({
    queryKey: queryKeys.help.categories,
    queryFn: ({ signal }) => dataOf(api.GET('/api/support/categories', { signal })),
    select: (response) => response.categories,
    staleTime: FRESH_MS,
  });
}

/** All articles, without their text. */
export function useHelpArticles() {
  return useQuery({
    queryKey: queryKeys.help.articles,
    queryFn: ({ signal }) => dataOf(api.GET('/api/support/articles', { signal })),
    select: (response) => response.articles,
    staleTime: FRESH_MS,
  });
}

/** @param text trimmed search text; nothing is fetched while it is empty */
export function useHelpSearch(text: string) {
  return useQuery({
    queryKey: queryKeys.help.search(text),
    queryFn: ({ signal }) => dataOf(api.GET('/api/support/articles', { params: { query: { q: text } }, signal })),
    enabled: text !== '',
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    // The failure is shown with a retry button at once; the field stays usable.
    retry: false,
  });
}

export function useHelpArticle(slug: string) {
  return useQuery({
    queryKey: queryKeys.help.article(slug),
    queryFn: ({ signal }) => dataOf(api.GET('/api/support/articles/{slug}', { params: { path: { slug } }, signal })),
    staleTime: FRESH_MS,
  });
}

/** The chat shows an ended session itself. */
export function useHelpChat() {
  return useQuery({
    queryKey: queryKeys.help.chat,
    queryFn: ({ signal }) => dataOf(api.GET('/api/support/chat', { signal })),
    meta: { keepsPlace: true },
  });
}

/** Sends a question and adds it to the chat with its response. */
export function useHelpRequest() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (text: string) => dataOf(api.POST('/api/support/chat', { body: { text } })),
    meta: { keepsPlace: true },
    onSuccess: ({ messages }) =>
      storeResponse<HelpChat>(
        client,
        queryKeys.help.chat,
        (chat) => chat && { ...chat, messages: [...chat.messages, ...messages] },
      ),
  });
}

export function useClearHelpChat() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => dataOf(api.DELETE('/api/support/chat')),
    onSuccess: () => storeResponse<HelpChat>(client, queryKeys.help.chat, (chat) => chat && { ...chat, messages: [] }),
  });
}

export function useRateHelp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, isHelpful }: { id: string; isHelpful: boolean }) =>
      dataOf(api.POST('/api/support/chat/{id}/rating', { params: { path: { id } }, body: { helpful: isHelpful } })),
    onSuccess: ({ ratings }, { id, isHelpful }) =>
      storeResponse<HelpChat>(
        client,
        queryKeys.help.chat,
        (chat) =>
          chat && {
            ...chat,
            ratings,
            messages: chat.messages.map((each) => (each.id === id ? { ...each, is_helpful: isHelpful } : each)),
          },
      ),
  });
}
