import type { Feather } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { pickItem } from "../../pick-item.ts";
import { formatAmount, pullColumns } from "../../views/pull.ts";
import { hasEnded, PULL_FIELDS } from "./pull-state.ts";

/** The argument that names a download. */
const PULL_ARGUMENT = {
  name: "[id]",
  summary: "download, as models pulls list says; you are asked at a terminal",
} as const;

/** Lists downloads of model files. */
export const modelsPullsList: Command<undefined> = {
  name: "models pulls list",
  summary: "List downloads from the hub",
  prints: "list",
  fields: PULL_FIELDS,
  needs: "admin",
  examples: ["feather models pulls list"],
  options: () => undefined,
  async run({ client, now, output, signal }) {
    const response = await (await client()).admin.store.pulls.list({ signal });
    const empty = "Nothing was downloaded yet. Begin: feather models pull <id>";
    output.printList(
      { columns: pullColumns(now()), id: ({ id }) => id, noun: "downloads", empty },
      response.items,
      response,
    );
  },
};

/** Stops a download and keeps the partial file. */
export const modelsPullsCancel: Command<{ readonly id: string }> = {
  name: "models pulls cancel",
  summary: "Stop a download, and keep what came",
  arguments: [PULL_ARGUMENT],
  needs: "admin",
  examples: ["feather models pulls cancel pull_4fJqM1t9Zk"],
  options: ([id = ""]) => ({ id }),
  async run(context, { id: given }) {
    const { client, output, signal } = context;
    const feather = await client();
    const id = await resolvePullId(context, feather, given);
    await feather.admin.store.pulls.cancel(id, { signal });
    output.info(`Stopped ${id}. What came is kept; feather models pull resumes it.`);
  },
};

/** Pauses a download. */
export const modelsPullsPause: Command<{ readonly id: string }> = {
  name: "models pulls pause",
  summary: "Pause a download, so that the next one runs",
  arguments: [PULL_ARGUMENT],
  prints: "one",
  fields: PULL_FIELDS,
  needs: "admin",
  examples: ["feather models pulls pause pull_4fJqM1t9Zk"],
  options: ([id = ""]) => ({ id }),
  async run(context, { id: given }) {
    const { client, output, signal } = context;
    const feather = await client();
    const id = await resolvePullId(context, feather, given);
    const value = await feather.admin.store.pulls.pause(id, { signal });
    output.printChange({ value, id, message: `Paused ${id} at ${formatAmount(value)}.` });
    output.hint(`It goes on with: feather models pulls resume ${id}`);
  },
};

/** Continues a paused download. */
export const modelsPullsResume: Command<{ readonly id: string }> = {
  name: "models pulls resume",
  summary: "Let a paused download go on",
  arguments: [PULL_ARGUMENT],
  prints: "one",
  fields: PULL_FIELDS,
  needs: "admin",
  examples: ["feather models pulls resume pull_4fJqM1t9Zk"],
  options: ([id = ""]) => ({ id }),
  async run(context, { id: given }) {
    const { client, output, signal } = context;
    const feather = await client();
    const id = await resolvePullId(context, feather, given);
    const value = await feather.admin.store.pulls.resume(id, { signal });
    output.printChange({ value, id, message: `${id} goes on at ${formatAmount(value)}.` });
  },
};

/** Returns the id of a download, or lets the person pick one that has not ended. Throws `UsageError` when nobody can be asked. */
async function resolvePullId(context: Context, feather: Feather, id: string): Promise<string> {
  if (id !== "") return id;
  const { signal } = context;
  return pickItem(context, {
    label: "Download",
    alternative: "the download's id: feather models pulls list",
    empty: ["nothing is being downloaded", "feather models pull <id>"],
    list: async () => (await feather.admin.store.pulls.list({ signal })).items.filter(({ state }) => !hasEnded(state)),
    toChoice: (pull) => ({ label: pull.model_id, note: `${pull.state}, ${formatAmount(pull)}`, value: pull.id }),
  });
}
