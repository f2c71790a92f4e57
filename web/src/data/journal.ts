import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../api/client.ts';
import { queryKeys } from '../api/queryKeys.ts';
import { storeResponse } from '../api/storeResponse.ts';
import type { JournalEntry } from '../api/types.ts';

/** Note, tags and picture of a position. */
export const useJournalEntry = (id: string) =>
  useQuery({
    queryKey: queryKeys.positions.journal(id),
    queryFn: async ({ signal }) => {
      const { entry } = await dataOf(api.GET('/api/journal/{id}', { params: { path: { id } }, signal }));
      return entry;
    },
  });

/** Closed positions by day, hour, tag, symbol and setup. @param zone IANA name */
export const useJournalStatistics = (zone: string) =>
  useQuery({
    queryKey: queryKeys.positions.journalStatistics(zone),
    queryFn: ({ signal }) => dataOf(api.GET('/api/journal/statistics', { params: { query: { zone } }, signal })),
    refetchInterval: 60_000,
  });

/** A change of an entry: each returns the whole of it, which takes the place of the one in the cache. */
function useEntryChange<T>(id: string, change: (options: T) => Promise<{ entry: JournalEntry }>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (options: T) => (await change(options)).entry,
    onSuccess: async (entry) => {
      await storeResponse<JournalEntry>(client, queryKeys.positions.journal(id), entry);
      void client.invalidateQueries({ queryKey: queryKeys.positions.journalStatistics() });
    },
    onError: () => void client.invalidateQueries({ queryKey: queryKeys.positions.journal(id) }),
  });
}

const pathOf = (id: string) => ({ params: { path: { id } } });

export const useSaveEntry = (id: string) =>
  useEntryChange(id, (body: Pick<JournalEntry, 'note' | 'tags' | 'revision'>) =>
    dataOf(api.PUT('/api/journal/{id}', { ...pathOf(id), body })),
  );

/** Sends the picture as the body itself. */
export const useAddPicture = (id: string) =>
  useEntryChange(id, (picture: Blob) =>
    dataOf(
      api.PUT('/api/journal/{id}/picture', {
        ...pathOf(id),
        body: '',
        bodySerializer: () => picture,
        headers: { 'content-type': 'application/octet-stream' },
      }),
    ),
  );

export const useRemovePicture = (id: string) =>
  useEntryChange(id, () => dataOf(api.DELETE('/api/journal/{id}/picture', pathOf(id))));

/** The address of a picture; another one once it is replaced. */
export const journalPictureUrl = ({ position_id: id, picture }: JournalEntry): string | null =>
  picture === null ? null : `/api/journal/${id}/picture?at=${Date.parse(picture.created_at)}`;
