import type { Command } from "../../command.ts";
import { DELIVERY_FIELDS, ENDPOINT_ARGUMENT } from "./endpoint.ts";

/** Sends the event of a delivery again. */
export const webhooksReplay: Command<{ readonly id: string; readonly deliveryId: string }> = {
  name: "webhooks replay",
  summary: "Send the event of a delivery again",
  arguments: [
    { ...ENDPOINT_ARGUMENT, name: "<endpoint>", summary: "its id: feather webhooks list" },
    { name: "<delivery>", summary: "id of the delivery: feather webhooks deliveries <endpoint>" },
  ],
  prints: "one",
  fields: DELIVERY_FIELDS,
  needs: "sign-in",
  examples: ["feather webhooks replay whk_4fJqM1t9 whd_7Kd2mQx4"],
  options: ([id = "", deliveryId = ""]) => ({ id, deliveryId }),
  async run({ output, client, signal }, { id, deliveryId }) {
    const delivery = await (await client()).webhooks.deliveries.replay(id, deliveryId, { signal });
    const message = `${delivery.event_type} is on its way again. What became of it: feather webhooks deliveries ${id}`;
    output.printChange({ value: delivery, id: delivery.id, message });
  },
};
