import type { ExportRow, ExportSection } from "../../accounts/index.ts";
import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { ConversationsModule } from "../conversations/index.ts";
import { createPromptsRepository } from "./prompts.repository.ts";
import { promptRoutes } from "./prompts.routes.ts";
import { createPrompts, type PromptUseCases } from "./prompts.usecases.ts";

type Ports = {
  db: Database;
  clock: Clock;
  audit: Audit;
  organizationKeys: ConversationsModule["api"]["organizationKeys"];
};

/** Creates the prompts and personas of people and organizations. */
export function createPromptsModule(ports: Ports) {
  const promptsRepository = createPromptsRepository(ports.db);
  const prompts = createPrompts({ ...ports, promptsRepository });
  return {
    routes: promptRoutes(prompts),
    jobs: [],
    api: {
      /** Lists what is kept for a user in all organizations. */
      listKept: (userId: string): ExportSection[] => [{ name: "prompts", rows: readOwn(prompts, userId) }],
    },
  };
}

async function* readOwn(prompts: PromptUseCases, userId: string): AsyncGenerator<readonly ExportRow[]> {
  yield await prompts.listOwn(userId);
}
