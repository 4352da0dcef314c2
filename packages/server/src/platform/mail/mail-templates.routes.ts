import type { FastifyRequest } from "fastify";
import type { Handlers } from "../core/http/handlers.ts";
import { type Language, matchLanguage, type TranslateText } from "../core/languages/languages.ts";
import { type Describe, toMailTemplateDto, toMailTemplateSummaryDto } from "./mail-templates.dto.ts";
import type { MailTemplateUseCases, TemplateKey } from "./mail-templates.usecases.ts";

type Deps = { mailTemplates: MailTemplateUseCases; translateText: TranslateText };

/** Handlers of `admin.mailTemplates.*`. Titles and descriptions are in the language that the admin's browser asks for. */
export function mailTemplateRoutes({ mailTemplates, translateText }: Deps): Handlers {
  const forReader = ({ headers }: FastifyRequest): Describe => {
    const language = matchLanguage(headers["accept-language"]) ?? "en";
    return (text) => translateText(text, language);
  };
  return {
    "admin.mailTemplates.list": async ({ query, request }) => {
      const templates = await mailTemplates.list(query.language ?? "en");
      return { items: templates.map((template) => toMailTemplateSummaryDto(template, forReader(request))) };
    },

    "admin.mailTemplates.get": async ({ path, query, request }) =>
      toMailTemplateDto(await mailTemplates.get(toKey(path, query)), forReader(request)),

    "admin.mailTemplates.set": async ({ actor, path, body, request }) =>
      toMailTemplateDto(await mailTemplates.set(actor, toKey(path, body), body), forReader(request)),

    "admin.mailTemplates.delete": async ({ actor, path, query }) => {
      await mailTemplates.reset(actor, toKey(path, query), query.version);
      return undefined;
    },

    "admin.mailTemplates.preview": ({ path, body }) => mailTemplates.preview(toKey(path, body), body),

    "admin.mailTemplates.test": async ({ actor, path, body }) => ({
      to: await mailTemplates.sendTest(actor, toKey(path, body), body),
    }),
  };
}

const toKey = ({ name }: { name: string }, { language = "en" }: { language?: Language | undefined }): TemplateKey => ({
  name,
  language,
});
