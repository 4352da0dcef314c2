import type { Compatibility } from "@feather/sdk";
import { formatParameters } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import type { DetailView } from "../../output/index.ts";
import { readHubToken, TOKEN_FLAG } from "./private-model.ts";

/** Shows whether a model of the hub can be added as a private model, and what prevents it. */
export const privateModelsCompatibility: Command<{ readonly id: string; readonly withToken: boolean }> = {
  name: "private-models compatibility",
  summary: "See whether a model of the hub can be added",
  arguments: [{ name: "<id>", summary: "model of the hub, as owner/name" }],
  flags: [TOKEN_FLAG],
  prints: "one",
  fields: ["compatible", "checks", "detected", "model_class"],
  needs: "sign-in",
  examples: [
    "feather private-models compatibility acme/support-8b",
    "feather private-models compatibility acme/support-8b --jq .compatible",
  ],
  options: ([id = ""], flags) => ({ id, withToken: flags.withToken === true }),
  async run(context, { id, withToken }) {
    const { client, output, signal } = context;
    const headers = withToken ? { "x-hub-token": await readHubToken(context) } : {};
    const response = await (await client()).privateModels.compatibility(id, { signal, headers });
    output.printDetails(createDetailView(id), response);
    if (response.compatible) output.hint(`\nfeather private-models add ${id}`);
  },
};

const createDetailView = (id: string): DetailView<Compatibility> => ({
  id: () => id,
  lines: ({ compatible, checks, detected, model_class }) => [
    ["compatible", compatible ? "yes" : "no", (text, style) => (compatible ? style.green(text) : style.red(text))],
    ["class", model_class ?? "none"],
    ["architecture", detected.architecture ?? "not known"],
    ["size", detected.parameter_size === null ? "not known" : formatParameters(detected.parameter_size)],
    ["weights", [detected.format, detected.dtype].filter((part) => part !== null).join(", ") || "not known"],
    ...checks.map(({ label, ok, detail }) => [ok ? "ok" : "fails", `${label}: ${detail}`] as const),
  ],
});
