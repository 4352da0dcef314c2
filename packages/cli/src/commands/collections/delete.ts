import type { Command } from "../../command.ts";
import { COLLECTION_ARGUMENT, findCollection } from "./collection.ts";

/** Deletes a collection, after confirmation. */
export const collectionsDelete: Command<{ readonly collection: string }> = {
  name: "collections delete",
  summary: "Delete a collection with its documents",
  arguments: [COLLECTION_ARGUMENT],
  confirms: true,
  needs: "sign-in",
  examples: ["feather collections delete Handbook --yes"],
  options: ([collection = ""]) => ({ collection }),
  async run({ client, confirm, output, signal }, { collection }) {
    const feather = await client();
    const { id, name, documents } = await findCollection(feather, collection, signal);
    await confirm(async () => `Delete ${name} with its documents (${documents})? They cannot be brought back.`);
    await feather.collections.delete(id, { signal });
    output.info(`Deleted ${name}.`);
  },
};
