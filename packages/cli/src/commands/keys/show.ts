import type { ApiKey } from "@feather/sdk";
import { formatCount, formatNanoUsd } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import type { DetailView } from "../../output/index.ts";
import { formatAgo, formatDay, formatDayTime } from "../../output/time.ts";
import { KEY_FIELDS, maskSecret } from "./key.ts";
import { KEY_ARGUMENT, resolveKeyId } from "./resolve-key.ts";

/** Shows a key with its limits, without its secret. */
export const keysShow: Command<{ readonly id: string }> = {
  name: "keys show",
  summary: "Show an API key and its limits",
  arguments: [KEY_ARGUMENT],
  prints: "one",
  fields: KEY_FIELDS,
  needs: "sign-in",
  examples: ["feather keys show ci", "feather keys show key_7Kd2mQx4 --json allowed_models"],
  options: ([id = ""]) => ({ id }),
  async run(context, options) {
    const { client, io, now, output, signal } = context;
    const id = await resolveKeyId(context, options.id);
    output.printDetails(createDetailView(io.env.unicode, now()), await (await client()).apiKeys.get(id, { signal }));
  },
};

function createDetailView(unicode: boolean, now: Date): DetailView<ApiKey> {
  return {
    id: ({ id }) => id,
    lines: (key) => {
      const { last_used_at: used, expires_at: end, previous_secret_expires_at: earlier } = key;
      const rows: [string, string | null][] = [
        ["name", key.name],
        ["key", maskSecret(key, unicode)],
        ["state", formatState(key, now)],
        ["may", key.scopes.join(", ")],
        ["models", key.allowed_models.join(", ") || "any"],
        ["from", key.ip_allowlist.join(", ") || "any address"],
        ["units", key.max_concurrency === null ? "those of the plan" : `at most ${formatCount(key.max_concurrency)}`],
        ["priority", key.priority === "batch" ? "batch: after other calls" : null],
        ["spends", formatSpendLimit(key)],
        ["last used", used === null ? "never" : formatAgo(used, now)],
        ["created", formatDay(key.created_at)],
        ["by", key.created_by_name],
        ["made with", key.created_by_application],
        ["ends", end === null ? "never" : formatDayTime(end)],
        ["old secret", earlier && earlier > now ? `works until ${formatDayTime(earlier)}` : null],
        ["id", key.id],
      ];
      return rows.flatMap(([label, text]) => (text === null ? [] : [[label, text] as const]));
    },
  };
}

function formatState({ disabled, expires_at: end }: ApiKey, now: Date): string {
  if (disabled) return "switched off";
  return end !== null && end <= now ? "ended" : "works";
}

function formatSpendLimit({ spend_limit_nano_usd: limit, limit_reset: reset, spent_nano_usd: spent }: ApiKey): string {
  if (limit === null) return "without a limit";
  const budget = `at most ${formatNanoUsd(limit)}${reset === "none" ? "" : ` a ${reset}`}`;
  return `${budget}, ${formatNanoUsd(spent)} so far`;
}
