import type { Command } from "../../command.ts";
import { ENDPOINT_ARGUMENT, resolveEndpointId } from "./endpoint.ts";

/** Deletes an endpoint with its deliveries, after confirmation. */
export const webhooksDelete: Command<{ readonly id: string }> = {
  name: "webhooks delete",
  summary: "Delete a webhook endpoint",
  arguments: [ENDPOINT_ARGUMENT],
  confirms: true,
  needs: "sign-in",
  examples: ["feather webhooks delete whk_4fJqM1t9 --yes"],
  options: ([id = ""]) => ({ id }),
  async run(context, { id: given }) {
    const { client, confirm, output, signal } = context;
    const feather = await client();
    const id = await resolveEndpointId(context, feather, given);
    await confirm(async () => {
      const { url } = await feather.webhooks.get(id, { signal });
      return `Delete the endpoint at ${url}, and what is known of its deliveries?`;
    });
    await feather.webhooks.delete(id, { signal });
    output.info(`Deleted ${id}.`);
  },
};
