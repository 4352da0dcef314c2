import type { BackendInput } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { Context } from "../../../context.ts";
import { UsageError } from "../../../errors.ts";
import { isSet, optionalText } from "../../../flags.ts";
import { readKey, readProviderKey } from "../../../input.ts";
import { completeProviderBody, findProvider, PLACEHOLDER_FLAGS } from "./add-provider.ts";
import { BACKEND_FIELDS, BACKEND_FLAGS, listAliases, parseBackendFields, readsKey } from "./backend.ts";

/** The backend to add; `provider` is null for a server with an address of its own, `withKey` when the key comes on stdin. */
export type BackendsAddOptions = {
  readonly body: BackendInput;
  readonly provider: string | null;
  readonly placeholders: Readonly<Record<string, string>>;
  readonly withKey: boolean;
};

/** Adds a backend: a provider by its id, or any address. */
export const backendsAdd: Command<BackendsAddOptions> = {
  name: "admin backends add",
  summary: "Add a backend: a provider by its id, or an address",
  description:
    "A provider needs only a key, which is asked for at a terminal: `feather admin providers` lists them. Another server needs a name and its address.",
  arguments: [
    { name: "<provider-or-name>", summary: "id of a provider; with an address, what the backend is called" },
    { name: "[url]", summary: "address of the API, up to /v1 for OpenAI's" },
  ],
  flags: [
    ...PLACEHOLDER_FLAGS,
    { name: "--name <name>", summary: "what the backend of a provider is called; the provider's id if left out" },
    ...BACKEND_FLAGS,
    { name: "--disabled", summary: "do not use it yet" },
  ],
  prints: "one",
  fields: BACKEND_FIELDS,
  needs: "admin",
  examples: [
    "feather admin backends add openrouter",
    "feather admin backends add bedrock --region eu-central-1 --key - < key.txt",
    "feather admin backends add vertex --project my-project-123 --key - < service-account.json",
    "feather admin backends add gpu-1 https://gpu-1.example/v1",
    "feather admin backends add aws https://bedrock-runtime.eu-west-1.amazonaws.com --api bedrock --key - < key.txt",
    "feather admin backends add gpu-2 https://gpu-2.example/v1 --with-key < key.txt",
    "feather admin backends add hosted https://hosted.example/v1 --alias accounts/hosted/models/llama-v3=meta-llama/Llama-3-8B",
  ],
  options: ([first = "", url], flags) => {
    const aliases = [...listAliases(flags)];
    const placeholders = {
      ...optionalText("region", flags.region),
      ...optionalText("resource", flags.resource),
      ...optionalText("project", flags.project),
    };
    const common = {
      ...parseBackendFields(flags),
      ...(aliases.length > 0 && { aliases }),
      ...(isSet(flags, "disabled") && { enabled: false }),
    };
    const withKey = readsKey(flags);
    if (url === undefined)
      return { body: { ...optionalText("name", flags.name), ...common }, provider: first, placeholders, withKey };
    if (!URL.canParse(url)) throw new UsageError(`${url} is no address`, "https://gpu-1.example/v1");
    if (flags.name !== undefined || Object.keys(placeholders).length > 0)
      throw new UsageError("--name, --region, --resource and --project are for providers, which need no address");
    return { body: { name: first, base_url: url, ...common }, provider: null, placeholders, withKey };
  },
  async run(context, options) {
    const { client, output, signal } = context;
    const { admin } = await client();
    const body =
      options.provider === null
        ? { ...options.body, ...(options.withKey && { api_key: await readKey(context.io) }) }
        : await toProviderBody(context, (await admin.providers.list({ signal })).items, options, options.provider);
    const backend = await admin.backends.create(body, { signal });
    output.printChange({ value: backend, id: backend.id, message: `Added ${backend.name}.` });
    output.hint(`Try it: feather admin backends test ${backend.id}`);
  },
};

/** Returns the body that adds a provider. Asks for what the command line lacks. */
async function toProviderBody(
  context: Context,
  providers: Parameters<typeof findProvider>[0],
  { body, placeholders, withKey }: BackendsAddOptions,
  id: string,
): Promise<BackendInput> {
  const provider = findProvider(providers, id);
  const completed = await completeProviderBody(context, provider, {
    placeholders,
    ...(body.models !== undefined && { models: body.models }),
  });
  return { ...body, ...completed, api_key: await readProviderKey(context, provider, withKey) };
}
