import type { ContentItem } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import { formatDayTime } from "../../../output/time.ts";
import { CONTENT_ARGUMENT, type ContentPlace, formatPlace, parsePlace } from "./content-place.ts";
import { CONTENT_SUMMARY_FIELDS } from "./list.ts";

/** Fields that `--json` accepts. */
export const CONTENT_FIELDS = [...CONTENT_SUMMARY_FIELDS, "text"] as const satisfies readonly (keyof ContentItem)[];

/** Shows the text of a post or page, and what is known of it. */
export const contentShow: Command<ContentPlace> = {
  name: "admin content show",
  summary: "Show the text of a post or page",
  description:
    "The Markdown is on stdout as `feather admin content put --file` takes it; title and state are on stderr.",
  arguments: [CONTENT_ARGUMENT],
  prints: "one",
  fields: CONTENT_FIELDS,
  needs: "admin",
  examples: ["feather admin content show post/launch > launch.md"],
  options: ([place]) => parsePlace(place),
  async run({ client, output, signal }, { kind, slug }) {
    const item = await (await client()).admin.content.get(kind, slug, { signal });
    if (output.json || output.quiet) {
      output.printDetails({ id: formatPlace, lines: () => [] }, item);
      return;
    }
    const date = item.published_at === null ? "" : `, ${formatDayTime(item.published_at)} UTC`;
    output.info(`${item.title}. ${item.description} (${item.state}${date})`);
    for (const line of item.text.split("\n")) output.print(line);
  },
};
