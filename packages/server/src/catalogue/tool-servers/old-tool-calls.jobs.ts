import type { Clock } from "../../platform/core/clock.ts";
import type { Job } from "../../platform/core/jobs.ts";
import { DAY_MS, HOUR_S } from "../../platform/core/time.ts";
import type { ToolCallsRepository } from "./tool-calls.repository.ts";

type Deps = { toolCallsRepository: Pick<ToolCallsRepository, "deleteBefore">; clock: Clock };

/** Creates the job that deletes what is known of calls to tools after `retentionDays`; never if that is undefined. */
export function createDeleteOldToolCalls({ toolCallsRepository, clock }: Deps, retentionDays: number | undefined): Job {
  return {
    name: "delete old calls to tools",
    everySeconds: HOUR_S,
    run: async () => {
      if (retentionDays !== undefined)
        await toolCallsRepository.deleteBefore(new Date(clock.now().getTime() - retentionDays * DAY_MS));
    },
  };
}
