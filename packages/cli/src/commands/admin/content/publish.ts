import type { Command } from "../../../command.ts";
import { type Moment, parseMoment, toDate } from "../../../flags.ts";
import { CONTENT_ARGUMENT, type ContentPlace, formatPlace, parsePlace } from "./content-place.ts";
import { CONTENT_FIELDS } from "./show.ts";

/** Publishes a post or page, now or at a time. */
export const contentPublish: Command<ContentPlace & { readonly at?: Moment }> = {
  name: "admin content publish",
  summary: "Publish a post or page, now or at a time",
  description: "One that is published already gets the date of now, or the one of --at.",
  arguments: [CONTENT_ARGUMENT],
  flags: [
    { name: "--at <time>", summary: "when, such as 2026-12-05T09:00Z or 3d for in three days", parse: parseMoment },
  ],
  prints: "one",
  fields: CONTENT_FIELDS,
  needs: "admin",
  examples: ["feather admin content publish post/launch", "feather admin content publish post/launch --at 3d"],
  options: ([place], flags) => ({ ...parsePlace(place), ...(flags.at !== undefined && { at: flags.at as Moment }) }),
  async run({ client, now, output, signal }, { kind, slug, at }) {
    const { admin } = await client();
    const { version, title, description, author, tags, text } = await admin.content.get(kind, slug, { signal });
    const published_at = at === undefined ? null : toDate(at, now());
    const write = { version, title, description, author, tags, text, state: "published" as const, published_at };
    const value = await admin.content.put(kind, slug, write, { signal });
    output.printChange({ value, id: formatPlace(value), message: `${value.title}: ${value.state}.` });
  },
};
