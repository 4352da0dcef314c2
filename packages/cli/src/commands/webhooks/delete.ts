import type { Command } from "../../command.ts";
import { ENDPOINT_ARGUMENT } from "./endpoint.ts";

/** Deletes an endpoint with its deliveries, after confirmation. */
export const webhooksDelete: Command<{ readonly id: string }> = {
  name: "webhooks delete",
  summary: "Delete a webhook endpoint",
  arguments: [ENDPOINT_ARGUMENT],
  confirms: true,
  needs: "sign-in",
  examples: ["feather webhooks delete whk_4fJqM1t9 --yes"],
  options: ([id = ""]) => ({ id }),
  async run({ client, confirm, output, signal }, { id }) {
    const { webhooks } = await client();
    await confirm(async () => {
      const { url } = await webhooks.get(id, { signal });
      return `Delete the endpoint at ${url}, and what is known of its deliveries?`;
    });
    await webhooks.delete(id, { signal });
    output.info(`Deleted ${id}.`);
  },
};
