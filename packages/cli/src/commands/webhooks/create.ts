import type { WebhookEndpointCreate, WebhookEventType } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { optionalText } from "../../flags.ts";
import { ENDPOINT_FLAGS } from "./endpoint.ts";

/** Creates an endpoint. Only its secret goes to stdout, so that it can be piped; it is shown once. */
export const webhooksCreate: Command<WebhookEndpointCreate> = {
  name: "webhooks create",
  summary: "Make a webhook endpoint and print its secret",
  arguments: [{ name: "<url>", summary: "the address that events are sent to, beginning with https://" }],
  flags: ENDPOINT_FLAGS,
  prints: "secret",
  needs: "sign-in",
  examples: [
    "feather webhooks create https://hooks.example.com/feather --events deployment.ready,deployment.failed",
    "feather webhooks create https://hooks.example.com/feather --events member.added --description HR > secret.txt",
  ],
  options: ([url = ""], flags) => {
    if (flags.events === undefined) throw new UsageError("--events is missing", "feather webhooks create --help");
    // The flag's `parse` has checked its values.
    return { url, event_types: flags.events as WebhookEventType[], ...optionalText("description", flags.description) };
  },
  async run({ output, client, signal }, body) {
    const endpoint = await (await client()).webhooks.create(body, { signal });
    output.printSecret({
      value: endpoint,
      secret: endpoint.secret,
      message: `Made the endpoint ${endpoint.id}. Its secret is shown this one time; keep it safe.`,
    });
  },
};
