import type { Command } from "../../../../command.ts";
import { UsageError } from "../../../../errors.ts";
import { optionalNumber, optionalText, parseNumberBetween } from "../../../../flags.ts";
import { readKey } from "../../../../input.ts";
import { BACKEND_ARGUMENT, readsKey, resolveBackendId } from "../backend.ts";

/** The backend and the key to add; `withKey` when the key comes on stdin. */
type BackendKeysAddOptions = {
  readonly id: string;
  readonly body: { readonly label?: string; readonly weight?: number };
  readonly withKey: boolean;
};

/** Adds a key to a backend. It is asked for at a terminal. */
export const backendKeysAdd: Command<BackendKeysAddOptions> = {
  name: "admin backends keys add",
  summary: "Add a key to a backend",
  description: "Calls are spread over all keys of a backend. The key is asked for at a terminal.",
  arguments: [BACKEND_ARGUMENT],
  flags: [
    { name: "--label <text>", summary: "what the key is called; a number if left out" },
    { name: "--weight <number>", summary: "how many of the calls it gets", parse: parseNumberBetween(1, 1000, true) },
    { name: "--with-key", summary: "read the key from stdin" },
    { name: "--key <source>", summary: "-: the same as --with-key", choices: ["-"] },
  ],
  prints: "one",
  fields: ["id", "label", "weight", "last_characters", "state"],
  needs: "admin",
  examples: [
    "feather admin backends keys add backend_1 --label team-b",
    "feather admin backends keys add backend_1 --weight 3 --with-key < key.txt",
  ],
  options: ([id = ""], flags) => ({
    id,
    body: { ...optionalText("label", flags.label), ...optionalNumber("weight", flags.weight) },
    withKey: readsKey(flags),
  }),
  async run(context, { id: given, body, withKey }) {
    const { client, io, output, askSecret, signal } = context;
    const feather = await client();
    const id = await resolveBackendId(context, feather, given);
    const key = withKey ? await readKey(io) : (await askSecret("Key", "--with-key")).trim();
    if (key === "") throw new UsageError("there was no key", "--with-key < key.txt");
    const added = await feather.admin.backends.addKey(id, { ...body, key }, { signal });
    output.printChange({ value: added, id: added.id, message: `Added ${added.label}.` });
  },
};
