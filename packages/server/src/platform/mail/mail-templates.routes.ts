import type { Handlers } from "../core/http/handlers.ts";
import type { Language } from "../core/languages/languages.ts";
import { toMailTemplateDto, toMailTemplateSummaryDto } from "./mail-templates.dto.ts";
import type { MailTemplateUseCases, TemplateKey } from "./mail-templates.usecases.ts";

/** Handlers of `admin.mailTemplates.*`. */
export function mailTemplateRoutes(mailTemplates: MailTemplateUseCases): Handlers {
  return {
    "admin.mailTemplates.list": async ({ query }) => ({
      items: (await mailTemplates.list(query.language ?? "en")).map(toMailTemplateSummaryDto),
    }),

    "admin.mailTemplates.get": async ({ path, query }) =>
      toMailTemplateDto(await mailTemplates.get(toKey(path, query))),

    "admin.mailTemplates.set": async ({ actor, path, body }) =>
      toMailTemplateDto(await mailTemplates.set(actor, toKey(path, body), body)),

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
