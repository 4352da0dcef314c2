import type { CollectionWrite } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { optionalText } from "../../flags.ts";
import { COLLECTION_ARGUMENT, COLLECTION_FIELDS, findCollection } from "./collection.ts";

type UpdateOptions = { readonly collection: string; readonly change: Partial<CollectionWrite> };

/** Changes fields of a collection; the others stay as they are. */
export const collectionsUpdate: Command<UpdateOptions> = {
  name: "collections update",
  summary: "Rename a collection, or set its model or who may read it",
  description: "With another model all vectors are made anew, at the cost of the organization.",
  arguments: [COLLECTION_ARGUMENT],
  flags: [
    { name: "--name <text>", summary: "its new name" },
    { name: "--description <text>", summary: "what it holds" },
    { name: "--access <who>", summary: "who may read it", choices: ["members", "owner"] },
    { name: "-m, --model <id>", summary: "model whose vectors compare passages by meaning", values: "models" },
    { name: "--words", summary: "compare passages by words alone" },
  ],
  prints: "one",
  fields: COLLECTION_FIELDS,
  needs: "sign-in",
  examples: ["feather collections update Handbook --name Rules", "feather collections update Handbook --words"],
  options([collection = ""], flags) {
    const { access } = flags;
    const change: Partial<CollectionWrite> = {
      ...optionalText("name", flags.name),
      ...optionalText("description", flags.description),
      ...((access === "members" || access === "owner") && { access }),
      ...optionalText("embedding_model", flags.model),
      ...(flags.words === true && { embedding_model: null }),
    };
    if (Object.keys(change).length === 0)
      throw new UsageError("nothing changes", "feather collections update Handbook --name Rules");
    return { collection, change };
  },
  async run({ client, output, signal }, { collection, change }) {
    const { collections } = await client();
    const { id, name, description, access } = await findCollection({ collections }, collection, signal);
    const stored = await collections.update(id, { name, description, access, ...change }, { signal });
    output.printChange({ value: stored, id: stored.id, message: `Changed ${stored.name}.` });
  },
};
