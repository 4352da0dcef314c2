import type { AttentionItem } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Column } from "../../output/table.ts";
import { formatDay, formatRfc3339 } from "../../output/time.ts";

const FIELDS = [
  "kind",
  "severity",
  "subject_id",
  "subject",
  "count",
  "happens_at",
  "message",
] as const satisfies readonly (keyof AttentionItem)[];

/** Lists what fails, ends soon or waits for an answer. The exit code is 0 also when something does. */
export const attentionShow: Command<undefined> = {
  name: "attention",
  summary: "See what fails, ends soon or waits for an answer",
  description:
    "Webhooks, keys, deployments, budgets and payments of the organization, as far as you may do something about them; for admins also backends, mail, accounts and requested models. The exit code is 0 also when something is listed.",
  prints: "list",
  fields: FIELDS,
  needs: "sign-in",
  examples: ["feather attention", "feather attention --jq '.items[] | select(.severity == \"error\") | .message'"],
  options: () => undefined,
  async run({ client, output, signal }) {
    const response = await (await client()).attention.list({ signal });
    output.printList(
      {
        columns: COLUMNS,
        id: ({ subject_id, kind }) => subject_id ?? kind,
        noun: "items",
        empty: "Nothing needs your attention.",
      },
      response.items,
      response,
    );
  },
};

const COLUMNS: readonly Column<AttentionItem>[] = [
  {
    header: "SEVERITY",
    cell: ({ severity }) => severity,
    paint: (text, style, { severity }) => (severity === "error" ? style.red(text) : text),
  },
  { header: "WHAT", cell: ({ message }) => message },
  {
    header: "WHEN",
    cell: ({ happens_at }) => (happens_at === null ? "" : formatDay(happens_at)),
    plain: ({ happens_at }) => (happens_at === null ? "" : formatRfc3339(happens_at)),
    dropOrder: 1,
  },
  { header: "KIND", cell: ({ kind }) => kind, dropOrder: 2 },
];
