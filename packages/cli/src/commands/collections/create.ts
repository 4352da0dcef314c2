import type { CollectionWrite } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { optionalText } from "../../flags.ts";
import { COLLECTION_FIELDS } from "./collection.ts";

/** Creates a collection of documents. */
export const collectionsCreate: Command<{ readonly body: CollectionWrite }> = {
  name: "collections create",
  summary: "Create a collection of documents",
  description:
    "Without --model, a model for embeddings that answers now compares passages by meaning, if there is one; its calls are charged like others.",
  arguments: [{ name: "<name>", summary: "its name" }],
  flags: [
    { name: "--description <text>", summary: "what it holds" },
    { name: "--private", summary: "only you may read it; it is deleted when you leave the organization" },
    { name: "-m, --model <id>", summary: "model whose vectors compare passages by meaning", values: "models" },
    { name: "--words", summary: "compare passages by words alone" },
  ],
  prints: "one",
  fields: COLLECTION_FIELDS,
  needs: "sign-in",
  examples: [
    "feather collections create Handbook",
    'feather collections create Contracts --private --description "Signed since 2020"',
    "feather collections create Handbook --words",
  ],
  options([name = ""], flags) {
    if (flags.words === true && typeof flags.model === "string")
      throw new UsageError("--words compares without a model", "feather collections create Handbook --words");
    return {
      body: {
        name,
        ...optionalText("description", flags.description),
        access: flags.private === true ? "owner" : "members",
        ...optionalText("embedding_model", flags.model),
        ...(flags.words === true && { embedding_model: null }),
      },
    };
  },
  async run({ client, output, signal }, { body }) {
    const made = await (await client()).collections.create(body, { signal });
    output.printChange({ value: made, id: made.id, message: `Created ${made.name}.` });
    if (made.embedding_model === null)
      output.info("It has no model for embeddings, so that passages are found by words alone.");
    output.hint(`Add a document: feather collections add ${made.id} report.pdf`);
  },
};
