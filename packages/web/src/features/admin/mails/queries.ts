import type { Language, MailTemplateDraft } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** All templates of mails, with their state in a language; those of the language before while they load. */
export const mailTemplatesQuery = (language: Language) =>
  queryOptions({
    ...queries.admin.mailTemplates.list.queryOptions({ language }),
    placeholderData: keepPreviousData,
  });

/** One template of mails with its words in a language. */
export const mailTemplateQuery = (name: string, language: Language) =>
  queryOptions({
    ...queries.admin.mailTemplates.get.queryOptions(name, { language }),
  });

/** A mail with sample values; the one before while it loads. */
export const mailPreviewQuery = (name: string, draft: MailTemplateDraft) =>
  queryOptions({
    ...queries.admin.mailTemplates.preview.queryOptions(name, draft),
    placeholderData: keepPreviousData,
  });
