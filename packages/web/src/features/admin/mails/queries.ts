import type { MailTemplateDraft } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** All templates of mails. */
export const mailTemplatesQuery = queryOptions({
  ...queries.admin.mailTemplates.list.queryOptions(),
});

/** One template of mails with its words. */
export const mailTemplateQuery = (name: string) =>
  queryOptions({
    ...queries.admin.mailTemplates.get.queryOptions(name),
  });

/** A mail with sample values; the one before while it loads. */
export const mailPreviewQuery = (name: string, draft: MailTemplateDraft) =>
  queryOptions({
    ...queries.admin.mailTemplates.preview.queryOptions(name, draft),
    placeholderData: keepPreviousData,
  });
