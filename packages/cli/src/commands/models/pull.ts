import type { Command } from "../../command.ts";
import { optionalText } from "../../flags.ts";
import { parseWaitOptions, type WaitOptions } from "../../wait.ts";
import { PULL_FIELDS } from "./pull-state.ts";
import { DEFAULT_PULL_TIMEOUT_MS, waitForPull } from "./wait-for-pull.ts";

type Options = { readonly model: string; readonly file?: string; readonly waitOptions: WaitOptions };

/** Starts a download of a model from the hub to the server, or resumes one. */
export const modelsPull: Command<Options> = {
  name: "models pull",
  summary: "Download a model from the hub to the server",
  description:
    "If the model's own repository has no GGUF file, one is found that has. The same again resumes a download that was stopped. With --wait, the model is callable when the command ends.",
  arguments: [
    {
      name: "<id>",
      summary:
        "model as owner/name, with or without a quantization: owner/name:Q5_K_M; or ollama:name for one that a running Ollama downloads",
    },
  ],
  flags: [{ name: "--file <name>", summary: "file of the repository; the server chooses if left out" }],
  prints: "one",
  fields: PULL_FIELDS,
  waits: true,
  needs: "admin",
  examples: [
    "feather models pull Qwen/Qwen3-0.6B --wait",
    "feather models pull Qwen/Qwen3-0.6B:Q4_K_M",
    "feather models pull ollama:qwen3:0.6b --wait",
    "feather models pull Qwen/Qwen2.5-0.5B-Instruct-GGUF --file qwen2.5-0.5b-instruct-q8_0.gguf",
  ],
  options: ([model = ""], flags) => ({
    model,
    ...optionalText("file", flags.file),
    waitOptions: parseWaitOptions(flags, DEFAULT_PULL_TIMEOUT_MS),
  }),
  async run(context, { waitOptions, model, file }) {
    const { client, output, signal } = context;
    const feather = await client();
    const body = { model_id: model, ...(file !== undefined && { file }) };
    const pull = await feather.admin.store.pulls.create(body, { signal });
    const value = waitOptions.wait
      ? await waitForPull(context, feather, {
          pull,
          resume: `feather models pull ${model} --wait`,
          timeout: waitOptions.timeout,
        })
      : pull;
    const { model_id, repository, file: path } = value;
    const source = repository === model_id ? path : `${path} of ${repository}`;
    const message = value.state === "done" ? `${model_id} is ready to run: ${source}` : `Downloading ${source}.`;
    output.printChange({ value, id: value.id, message });
    if (value.state !== "done") output.hint("How far it is: feather models pulls list");
  },
};
