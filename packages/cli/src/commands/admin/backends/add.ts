import type { BackendInput } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import { UsageError } from "../../../errors.ts";
import { isSet } from "../../../flags.ts";
import { BACKEND_FIELDS, BACKEND_FLAGS, listAliases, parseBackendFields, readKey } from "./backend.ts";

/** The backend to add; `withKey` when its API key comes on stdin. */
export type BackendsAddOptions = { readonly body: BackendInput; readonly withKey: boolean };

/** Adds an OpenAI-compatible backend. */
export const backendsAdd: Command<BackendsAddOptions> = {
  name: "admin backends add",
  summary: "Add a backend",
  arguments: [
    { name: "<name>", summary: "what it is called" },
    { name: "<url>", summary: "OpenAI-compatible address, up to /v1" },
  ],
  flags: [...BACKEND_FLAGS, { name: "--disabled", summary: "do not use it yet" }],
  prints: "one",
  fields: BACKEND_FIELDS,
  needs: "admin",
  examples: [
    "feather admin backends add gpu-1 https://gpu-1.example/v1",
    "feather admin backends add gpu-2 https://gpu-2.example/v1 --with-key < key.txt",
    "feather admin backends add hosted https://hosted.example/v1 --alias accounts/hosted/models/llama-v3=meta-llama/Llama-3-8B",
  ],
  options: ([name = "", base_url = ""], flags) => {
    if (!URL.canParse(base_url)) throw new UsageError(`${base_url} is no address`, "https://gpu-1.example/v1");
    const aliases = [...listAliases(flags)];
    const body = {
      name,
      base_url,
      ...parseBackendFields(flags),
      ...(aliases.length > 0 && { aliases }),
      ...(isSet(flags, "disabled") && { enabled: false }),
    };
    return { body, withKey: isSet(flags, "withKey") };
  },
  async run({ client, io, output, signal }, { body, withKey }) {
    const key = withKey ? { api_key: await readKey(io) } : {};
    const { admin } = await client();
    const backend = await admin.backends.create({ ...body, ...key }, { signal });
    output.printChange({ value: backend, id: backend.id, message: `Added ${backend.name}.` });
    output.hint(`Try it: feather admin backends test ${backend.id}`);
  },
};
