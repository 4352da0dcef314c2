import type { Handlers } from "../core/http/handlers.ts";
import { toMailTemplateDto, toMailTemplateSummaryDto } from "./mail-templates.dto.ts";
import type { MailTemplateUseCases } from "./mail-templates.usecases.ts";

/** Handlers of `admin.mailTemplates.*`. */
export function mailTemplateRoutes(mailTemplates: MailTemplateUseCases): Handlers {
  return {
    "admin.mailTemplates.list": async () => ({
      items: (await mailTemplates.list()).map(toMailTemplateSummaryDto),
    }),

    "admin.mailTemplates.get": async ({ path }) => toMailTemplateDto(await mailTemplates.get(path.name)),

    "admin.mailTemplates.set": async ({ actor, path, body }) =>
      toMailTemplateDto(await mailTemplates.set(actor, path.name, body)),

    "admin.mailTemplates.delete": async ({ actor, path, query }) => {
      await mailTemplates.reset(actor, path.name, query.version);
      return undefined;
    },

    "admin.mailTemplates.preview": ({ path, body }) => mailTemplates.preview(path.name, body),

    "admin.mailTemplates.test": async ({ actor, path, body }) => ({
      to: await mailTemplates.sendTest(actor, path.name, body),
    }),
  };
}
