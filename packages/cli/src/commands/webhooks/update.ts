import type { WebhookEndpointUpdate } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { UsageError } from "../../errors.ts";
import { isSet, optionalText } from "../../flags.ts";
import { ENDPOINT_ARGUMENT, ENDPOINT_FIELDS, ENDPOINT_FLAGS, resolveEndpointId } from "./endpoint.ts";

/** The endpoint and its changes. */
type WebhooksUpdateOptions = { readonly id: string; readonly changes: WebhookEndpointUpdate };

/** Updates an endpoint; flags that are omitted change nothing. */
export const webhooksUpdate: Command<WebhooksUpdateOptions> = {
  name: "webhooks update",
  summary: "Change a webhook endpoint",
  description: "What is not given stays. Disabling gives up deliveries that are pending.",
  arguments: [ENDPOINT_ARGUMENT],
  flags: [
    { name: "--url <url>", summary: "the address that events are sent to" },
    ...ENDPOINT_FLAGS,
    { name: "--disable", summary: "send nothing to it" },
    { name: "--enable", summary: "send events to it again" },
  ],
  prints: "one",
  fields: ENDPOINT_FIELDS,
  needs: "sign-in",
  examples: [
    "feather webhooks update whk_4fJqM1t9 --events member.added,member.removed",
    "feather webhooks update whk_4fJqM1t9 --enable",
  ],
  options: ([id = ""], flags) => {
    if (flags.disable === true && flags.enable === true)
      throw new UsageError("--disable and --enable exclude each other");
    const changes = {
      ...optionalText("url", flags.url),
      // The flag's `parse` has checked its values.
      ...(flags.events !== undefined && { event_types: flags.events as WebhookEndpointUpdate["event_types"] }),
      ...optionalText("description", flags.description),
      ...((isSet(flags, "disable") || isSet(flags, "enable")) && { disabled: isSet(flags, "disable") }),
    } as WebhookEndpointUpdate;
    if (Object.keys(changes).length === 0) throw new UsageError("nothing to change", "feather webhooks update --help");
    return { id, changes };
  },
  async run(context, { id: given, changes }) {
    const { output, client, signal } = context;
    const feather = await client();
    const id = await resolveEndpointId(context, feather, given);
    const endpoint = await feather.webhooks.update(id, changes, { signal });
    output.printChange({ value: endpoint, id: endpoint.id, message: `Changed the endpoint at ${endpoint.url}.` });
  },
};
