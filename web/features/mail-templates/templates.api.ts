import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import {
  MAIL_KINDS,
  type MailKind,
  type MailPreview,
  type MailTemplate,
} from '../../../contract/mail/mails.ts';
import { request } from '../../api/http.ts';
import { allRows } from '../../api/list-page.ts';
import { KEYS } from '../../api/query-keys.ts';
import { apiOf } from '../../record-kinds.ts';
import type { TemplateForm } from './template-form-values.ts';

const PATH = '/licenses/api/mail-templates/';
const pathOf = (kind: MailKind) => `${PATH}${kind}/`;

/** All templates, in the order of the kinds. */
export const templatesQuery = queryOptions({
  queryKey: [KEYS.mailTemplates, 'list'],
  queryFn: async ({ signal }) =>
    (await request<{ results: MailTemplate[] }>('GET', PATH, { signal })).results,
  staleTime: 0,
});

export type TemplateRecord = MailTemplate & { id: number };

const recordOf = (template: MailTemplate): TemplateRecord => ({
  ...template,
  id: MAIL_KINDS.indexOf(template.kind) + 1,
});

/** One template with its variables. */
export const templateQuery = (kind: MailKind) =>
  queryOptions({
    queryKey: [KEYS.mailTemplates, 'one', kind],
    queryFn: async ({ signal }) => recordOf(await request<MailTemplate>('GET', pathOf(kind), { signal })),
    staleTime: 0,
  });

/** The mail that a client would get. Not retried, because a text with an error never has a preview. */
export const previewQuery = (kind: MailKind, texts: TemplateForm, license: number | null) =>
  queryOptions({
    queryKey: [KEYS.mailTemplates, 'preview', kind, texts.subject, texts.body, license],
    queryFn: ({ signal }) =>
      request<MailPreview>('POST', `${pathOf(kind)}preview/`, {
        body: { ...texts, ...(license !== null && { license }) },
        signal,
      }),
    enabled: texts.subject.trim() !== '' && texts.body.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
    // Short, because there is one cache entry for each pause in typing.
    gcTime: 60_000,
  });

/** The warnings in an answer, first those about the subject. */
export const foreignOf = ({ warnings }: Pick<MailPreview, 'warnings'>): string[] =>
  [warnings?.subject, warnings?.body].flatMap((found) => found ?? []);

/** What in the typed texts is not the vendor's. Of texts with an error nothing is known: saving shows the error. */
export const findForeign = (kind: MailKind, texts: TemplateForm): Promise<string[]> =>
  request<MailPreview>('POST', `${pathOf(kind)}preview/`, { body: texts }).then(foreignOf, () => []);

/** The latest licences, whose data can be used in the preview. */
export const latestLicensesQuery = queryOptions({
  queryKey: [KEYS.licenses, 'for-preview'],
  queryFn: async ({ signal }) =>
    allRows<LicenseRow>(
      await request<unknown>('GET', apiOf('licenses'), { query: { page: 1, page_size: 5 }, signal }),
    ),
});

/** Puts the answer of a change into the cache, and refetches the list. */
function useTemplateChange<Given>(kind: MailKind, change: (given: Given) => Promise<MailTemplate>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (saved) => {
      queryClient.setQueryData(templateQuery(kind).queryKey, recordOf(saved));
      return queryClient.invalidateQueries({ queryKey: templatesQuery.queryKey });
    },
  });
}

export const useSaveTemplate = (kind: MailKind) =>
  useTemplateChange(kind, ({ texts, updatedAt }: { texts: TemplateForm; updatedAt: string | null }) =>
    request<MailTemplate>('PUT', pathOf(kind), { body: { ...texts, updated_at: updatedAt } }),
  );

/** Restores the product's own text. */
export const useResetTemplate = (kind: MailKind) =>
  useTemplateChange(kind, (updatedAt: string) =>
    request<MailTemplate>('POST', `${pathOf(kind)}reset/`, { body: { updated_at: updatedAt } }),
  );

/** Sends the typed texts to the user's own address. */
export const useTestTemplate = (kind: MailKind) =>
  useMutation({
    mutationFn: (texts: TemplateForm) =>
      request<{ message: string }>('POST', `${pathOf(kind)}test/`, { body: texts }),
  });
