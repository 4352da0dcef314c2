import type { Command } from "../../command.ts";

/** Frees the memory that a model takes on the server, after confirmation. */
export const stop: Command<{ readonly id: string }> = {
  name: "stop",
  summary: "Unload a model, to free its memory",
  description: "Its file stays on the server, and the next call loads it again. feather rm deletes the file.",
  arguments: [{ name: "<id>", summary: "model as owner/name", values: "models" }],
  confirms: true,
  prints: "one",
  fields: ["id", "status"],
  needs: "admin",
  examples: ["feather stop Qwen/Qwen3-0.6B", "feather stop Qwen/Qwen3-0.6B --yes"],
  options: ([id = ""]) => ({ id }),
  async run({ client, confirm, output, signal }, { id }) {
    const feather = await client();
    await confirm(`Unload ${id}? Requests that it is answering fail. The next call loads it again.`);
    const response = await feather.admin.models.unload(id, { signal });
    output.printChange({ value: response, id: response.id, message: `${response.id} is unloaded.` });
  },
};
