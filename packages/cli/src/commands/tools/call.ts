import { formatCount } from "@feather/sdk/format";
import { toolResultText } from "@feather/sdk/tools";
import type { Command } from "../../command.ts";
import { UsageError, WorkFailedError } from "../../errors.ts";

/** The tool and its arguments. */
type ToolsCallOptions = { readonly name: string; readonly given: Record<string, unknown> };

/** Calls a tool and prints the texts of its answer. Throws `WorkFailedError` (exit code 5) for an error of the tool. */
export const toolsCall: Command<ToolsCallOptions> = {
  name: "tools call",
  summary: "Call a tool and print what it answers",
  description: "Prints the texts of the answer, and the kind of its other parts; with --json, the whole answer.",
  arguments: [{ name: "<name>", summary: "name of the tool: feather tools list" }],
  flags: [{ name: "--args <json>", summary: "its arguments as a JSON object" }],
  prints: "json",
  needs: "sign-in",
  examples: [`feather tools call docs__search --args '{"query": "streams"}'`, "feather tools call docs__list --json"],
  options: ([name = ""], flags) => ({ name, given: parseArguments(flags.args) }),
  async run({ client, output, signal }, { name, given }) {
    const result = await (await client()).tools.call(name, { arguments: given }, { signal });
    if (output.json) output.printJson(result);
    else if (result.content.length > 0) output.print(toolResultText(result));
    if (result.is_error) throw new WorkFailedError(`${name} failed`, "feather tools list --json name,input_schema");
    output.hint(`${formatCount(result.duration_ms)} ms`);
  },
};

function parseArguments(text: unknown): Record<string, unknown> {
  if (typeof text !== "string") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {}
  throw new UsageError("--args is not a JSON object", `--args '{"query": "streams"}'`);
}
