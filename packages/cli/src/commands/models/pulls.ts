import type { Command } from "../../command.ts";
import { formatAmount, pullColumns } from "../../views/pull.ts";
import { PULL_FIELDS } from "./pull-state.ts";

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
  arguments: [{ name: "<id>", summary: "download, as models pulls list says" }],
  needs: "admin",
  examples: ["feather models pulls cancel pull_4fJqM1t9Zk"],
  options: ([id = ""]) => ({ id }),
  async run({ client, output, signal }, { id }) {
    await (await client()).admin.store.pulls.cancel(id, { signal });
    output.info(`Stopped ${id}. What came is kept; feather models pull resumes it.`);
  },
};

/** Pauses a download. */
export const modelsPullsPause: Command<{ readonly id: string }> = {
  name: "models pulls pause",
  summary: "Pause a download, so that the next one runs",
  arguments: [{ name: "<id>", summary: "download, as models pulls list says" }],
  prints: "one",
  fields: PULL_FIELDS,
  needs: "admin",
  examples: ["feather models pulls pause pull_4fJqM1t9Zk"],
  options: ([id = ""]) => ({ id }),
  async run({ client, output, signal }, { id }) {
    const value = await (await client()).admin.store.pulls.pause(id, { signal });
    output.printChange({ value, id, message: `Paused ${id} at ${formatAmount(value)}.` });
    output.hint(`It goes on with: feather models pulls resume ${id}`);
  },
};

/** Lets a paused download go on. */
export const modelsPullsResume: Command<{ readonly id: string }> = {
  name: "models pulls resume",
  summary: "Let a paused download go on",
  arguments: [{ name: "<id>", summary: "download, as models pulls list says" }],
  prints: "one",
  fields: PULL_FIELDS,
  needs: "admin",
  examples: ["feather models pulls resume pull_4fJqM1t9Zk"],
  options: ([id = ""]) => ({ id }),
  async run({ client, output, signal }, { id }) {
    const value = await (await client()).admin.store.pulls.resume(id, { signal });
    output.printChange({ value, id, message: `${id} goes on at ${formatAmount(value)}.` });
  },
};
