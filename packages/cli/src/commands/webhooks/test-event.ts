import type { Command } from "../../command.ts";
import { DELIVERY_FIELDS, ENDPOINT_ARGUMENT } from "./endpoint.ts";

/** Sends a test event to an endpoint. */
export const webhooksTest: Command<{ readonly id: string }> = {
  name: "webhooks test",
  summary: "Send a test event to an endpoint",
  description: "It is sent within seconds; feather webhooks deliveries shows what became of it.",
  arguments: [ENDPOINT_ARGUMENT],
  prints: "one",
  fields: DELIVERY_FIELDS,
  needs: "sign-in",
  examples: ["feather webhooks test whk_4fJqM1t9"],
  options: ([id = ""]) => ({ id }),
  async run({ output, client, signal }, { id }) {
    const delivery = await (await client()).webhooks.test(id, { signal });
    const message = `A test is on its way. What became of it: feather webhooks deliveries ${id}`;
    output.printChange({ value: delivery, id: delivery.id, message });
  },
};
