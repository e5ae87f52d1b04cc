import { queryOptions } from '@tanstack/react-query';
import type { TaggedKind, TagsInUse } from '../../../contract/tags/tags.ts';
import { request } from '../../api/http.ts';

/** The tags in use, the most used first. The key begins like the records', so that a change of one refetches them. */
export const tagsQuery = (on: TaggedKind) =>
  queryOptions({
    queryKey: [on, 'tags'],
    queryFn: ({ signal }) => request<TagsInUse>('GET', '/licenses/api/tags/', { query: { on }, signal }),
    select: ({ results }) => results,
  });
