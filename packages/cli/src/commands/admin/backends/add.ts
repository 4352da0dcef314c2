import { text } from "node:stream/consumers";
import type { BackendInput } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import { UsageError } from "../../../errors.ts";
import { isSet, optionalNumber, parseNumberBetween } from "../../../flags.ts";
import { BACKEND_FIELDS } from "./backend.ts";

/** The backend to add; `withKey` when its API key comes on stdin. */
export type BackendsAddOptions = { readonly body: BackendInput; readonly withKey: boolean };

/** Adds an OpenAI-compatible backend. Its key is read from stdin, because others can see command lines. */
export const backendsAdd: Command<BackendsAddOptions> = {
  name: "admin backends add",
  summary: "Add a backend",
  arguments: [
    { name: "<name>", summary: "what it is called" },
    { name: "<url>", summary: "OpenAI-compatible address, up to /v1" },
  ],
  flags: [
    { name: "--models <ids>", summary: "models it runs, by comma; it is asked if left out" },
    { name: "--weight <number>", summary: "how much of the work it gets", parse: parseNumberBetween(0, 1000, false) },
    { name: "--with-key", summary: "read its API key from stdin" },
    { name: "--disabled", summary: "do not use it yet" },
  ],
  prints: "one",
  fields: BACKEND_FIELDS,
  needs: "admin",
  examples: [
    "feather admin backends add gpu-1 https://gpu-1.example/v1",
    "feather admin backends add gpu-2 https://gpu-2.example/v1 --with-key < key.txt",
  ],
  options: ([name = "", base_url = ""], flags) => {
    if (!URL.canParse(base_url)) throw new UsageError(`${base_url} is no address`, "https://gpu-1.example/v1");
    const models = typeof flags.models === "string" ? flags.models.split(",").map((id) => id.trim()) : undefined;
    const body = {
      name,
      base_url,
      ...(models && { models }),
      ...optionalNumber("weight", flags.weight),
      ...(isSet(flags, "disabled") && { enabled: false }),
    };
    return { body, withKey: isSet(flags, "withKey") };
  },
  async run({ client, io, output, signal }, { body, withKey }) {
    const key = withKey ? (await text(io.stdin)).trim() : "";
    if (withKey && key === "") throw new UsageError("there was no key on stdin", "--with-key < key.txt");
    const { admin } = await client();
    const backend = await admin.backends.create(withKey ? { ...body, api_key: key } : body, { signal });
    output.printChange({ value: backend, id: backend.id, message: `Added ${backend.name}.` });
    output.hint(`Try it: feather admin backends test ${backend.id}`);
  },
};
