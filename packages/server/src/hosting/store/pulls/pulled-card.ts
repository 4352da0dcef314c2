import type { Logger } from "pino";
import { AppError } from "../../../platform/core/errors/index.ts";
import type { Hub, HubModel } from "../../hub/index.ts";
import type { HubTokens } from "../sources/hub-tokens.ts";
import type { PullWork } from "./pull-runner.ts";

/** Stores what the hub says about a model of the catalogue: its readme and its counts. */
export type SaveHubFacts = (modelId: string, repository: HubModel) => Promise<void>;

type Deps = {
  hub: Pick<Hub, "model">;
  tokens: Pick<HubTokens, "operatorToken">;
  saveHubFacts: SaveHubFacts;
  log: Pick<Logger, "info">;
};

/**
 * Returns a work that does the download and then stores the model's card, so that its page has a readme. A failure to read
 * the card does not fail the download. Cards of private models are stored elsewhere.
 */
export function withModelCard(work: PullWork, { hub, tokens, saveHubFacts, log }: Deps): PullWork {
  return async (row, progress, signal) => {
    const isStored = await work(row, progress, signal);
    if (!isStored || row.organization_id !== null) return isStored;
    try {
      const { operatorToken: token } = tokens;
      await saveHubFacts(row.model_id, await hub.model(row.model_id, { token, signal }));
    } catch (error) {
      if (!(error instanceof AppError) && !signal.aborted) throw error;
      log.info({ model: row.model_id, reason: error instanceof Error ? error.message : error }, "no card was read");
    }
    return isStored;
  };
}
