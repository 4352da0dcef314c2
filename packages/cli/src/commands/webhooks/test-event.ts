import type { Command } from "../../command.ts";
import { DELIVERY_FIELDS, ENDPOINT_ARGUMENT, resolveEndpointId } from "./endpoint.ts";

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
  async run(context, { id: given }) {
    const { output, client, signal } = context;
    const feather = await client();
    const id = await resolveEndpointId(context, feather, given);
    const delivery = await feather.webhooks.test(id, { signal });
    const message = `A test is on its way. What became of it: feather webhooks deliveries ${id}`;
    output.printChange({ value: delivery, id: delivery.id, message });
  },
};
