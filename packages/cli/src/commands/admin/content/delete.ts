import type { Command } from "../../../command.ts";
import { CONTENT_ARGUMENT, type ContentPlace, formatPlace, parsePlace } from "./content-place.ts";

/** Deletes a post or page; asks first. */
export const contentDelete: Command<ContentPlace> = {
  name: "admin content delete",
  summary: "Delete a post or page",
  description:
    "A file of the data folder, or a post that comes with Feather, is shown in its place again. Hide those with `put --draft`.",
  arguments: [CONTENT_ARGUMENT],
  confirms: true,
  needs: "admin",
  examples: ["feather admin content delete post/launch --yes"],
  options: ([place]) => parsePlace(place),
  async run({ client, confirm, output, signal }, { kind, slug }) {
    const { admin } = await client();
    const { title, version } = await admin.content.get(kind, slug, { signal });
    await confirm(`Delete ${formatPlace({ kind, slug })} (${title})? It cannot be restored.`);
    await admin.content.delete(kind, slug, { version }, { signal });
    output.info(`${title} is deleted.`);
  },
};
